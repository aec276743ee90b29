#!/bin/sh
# Adds what the servers of a cluster show each other: make-cluster-secrets.sh DIR HOST...
# DIR is that of make-secrets.sh, which comes first; each HOST may have a port, 6222 when it has none. Copy DIR to
# every server. A secret that is there stays as it is.
#   cluster.secret      the servers of the cluster show it
#   secrets.conf        gets it, and the addresses of all servers
set -eu
umask 077
dir=${1:?usage: make-cluster-secrets.sh DIR HOST...}
shift
[ $# -gt 0 ] || { echo 'usage: make-cluster-secrets.sh DIR HOST...' >&2; exit 1; }
secret=$dir/cluster.secret
[ -s "$secret" ] || head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n' >"$secret"
kept=$(grep -v -e '^ASKFABRIC_CLUSTER:' -e '^ASKFABRIC_ROUTES:' "$dir/secrets.conf")
# printf is part of the shell: no secret becomes an argument of a process.
{
  printf '%s\n' "$kept"
  printf 'ASKFABRIC_CLUSTER: "%s"\n' "$(cat "$secret")"
  printf 'ASKFABRIC_ROUTES: [\n'
  for host in "$@"; do
    case $host in *:*) ;; *) host=$host:6222 ;; esac
    printf '  "nats-route://cluster:%s@%s"\n' "$(cat "$secret")" "$host"
  done
  printf ']\n'
} >"$dir/secrets.conf.new"
mv "$dir/secrets.conf.new" "$dir/secrets.conf"
