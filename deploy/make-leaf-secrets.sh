#!/bin/sh
# Makes the secrets of a leaf node: make-leaf-secrets.sh DIR HUB
# DIR is that of make-secrets.sh on the hub's machine; HUB is its host, with a port, 7422 when it has none. Copy
# leaf-secrets.conf alone to the machine of the leaf node: it holds the fleet's token and nothing else.
set -eu
umask 077
dir=${1:?usage: make-leaf-secrets.sh DIR HUB}
hub=${2:?usage: make-leaf-secrets.sh DIR HUB}
case $hub in *:*) ;; *) hub=$hub:7422 ;; esac
# printf is part of the shell: no secret becomes an argument of a process.
{
  printf 'ASKFABRIC_TOKEN: "%s"\n' "$(cat "$dir/token")"
  printf 'ASKFABRIC_HUB: "nats-leaf://askfabric:%s@%s"\n' "$(cat "$dir/token")" "$hub"
} >"$dir/leaf-secrets.conf"
