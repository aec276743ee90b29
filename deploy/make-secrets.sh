#!/bin/sh
# Makes the secrets of one machine: make-secrets.sh DIR. Secrets that are there stay as they are.
#   token               every session shows it; whoever has it can read every ask and forge any decision
#   sink.secret         the audit service shows it
#   provisioner.secret  shown to make or change the audit stream
#   secrets.conf        all three, for the configuration of the NATS server
set -eu
umask 077
if [ $# -ne 1 ] || [ -z "$1" ]; then
  echo "usage: make-secrets.sh DIR" >&2
  exit 1
fi
dir=$1
mkdir -p "$dir"
for name in token sink.secret provisioner.secret; do
  if [ -s "$dir/$name" ]; then
    echo "kept $dir/$name"
  else
    head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n' >"$dir/$name"
    echo "made $dir/$name"
  fi
done
# printf is part of the shell: no secret becomes an argument of a process.
{
  printf 'ASKFABRIC_TOKEN: "%s"\n' "$(cat "$dir/token")"
  printf 'ASKFABRIC_SINK: "%s"\n' "$(cat "$dir/sink.secret")"
  printf 'ASKFABRIC_PROVISIONER: "%s"\n' "$(cat "$dir/provisioner.secret")"
} >"$dir/secrets.conf"
echo "wrote $dir/secrets.conf"
