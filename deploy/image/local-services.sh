#!/usr/bin/env bash
# Makes a stand-in for the images of the other services of compose from packages of Debian (or Ubuntu, if that runs it), so that
# the stack can be tested without a registry of images. Prints its name:
#
#   SERVICES_IMAGE=localhost/recourse-services:…   nginx, Redis under the names of Valkey, and PostgreSQL
#
# Users, paths and the entry point of PostgreSQL are those of the official images, as far as compose.yaml relies on them. Needs
# root, mmdebstrap and buildah. An image is made once for the versions of all that goes in.
set -euo pipefail

readonly REPOSITORY=localhost/recourse-services
readonly LABEL=dev.recourse.check=services
readonly PACKAGES=(base-files dash bash coreutils grep sed libc-bin curl nginx-light redis-server redis-tools postgresql)

say() { echo "$*" >&2; }
fail() {
  say "local-services.sh: $*"
  exit 1
}

for program in mmdebstrap buildah apt-cache; do
  command -v "$program" >/dev/null || fail "$program is missing"
done
[[ $(id -u) == 0 ]] || fail "needs root"
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
key=$({
  cat "${BASH_SOURCE[0]}"
  uname -m
  apt-cache policy "${PACKAGES[@]}" | grep -E '^\S|Candidate'
} | sha256sum | cut -c1-12)
image=$REPOSITORY:$key

cache=${XDG_CACHE_HOME:-$HOME/.cache}/recourse/services
mkdir -p "$cache"
# Two runs at the same time would do the same work: the second waits for the first. The lock ends with this process.
exec {lock}>"$cache/lock"
flock --wait 300 "$lock" || fail "another run holds $cache/lock"
if buildah inspect --type image "$image" >/dev/null 2>&1; then
  echo "SERVICES_IMAGE=$image"
  exit 0
fi

work=$cache/making
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
packages=$(IFS=,; echo "${PACKAGES[*]}")
say "unpacking $packages of $suite"
mmdebstrap --quiet --variant=extract --include="$packages" "$suite" - {lock}>&- | tar -x -C "$work" --exclude='./dev/*' {lock}>&-
rm -rf "$work"/etc/apt "$work"/var/lib/apt "$work"/var/cache "$work"/usr/share/{man,locale,info,doc} "$work"/etc/{resolv.conf,hostname}
printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' 'nginx:x:101:101::/:/bin/sh' 'postgres:x:999:999::/var/lib/postgresql:/bin/sh' >"$work/etc/passwd"
printf '%s\n' 'root:x:0:' 'nginx:x:101:' 'postgres:x:999:' >"$work/etc/group"
echo 'hosts: files dns' >"$work/etc/nsswitch.conf"
ln -sf dash "$work/bin/sh"
# Scripts of packages would make this link, but they do not run here. Without it, there is no /var/run/postgresql.
rm -rf "$work/var/run"
ln -s /run "$work/var/run"
ln -s redis-server "$work/usr/bin/valkey-server"
ln -s redis-cli "$work/usr/bin/valkey-cli"
postgres=$(cd "$work" && echo usr/lib/postgresql/*/bin)
mkdir -p "$work"/{tmp,usr/local/bin,run/postgresql,docker-entrypoint-initdb.d,var/lib/nginx} "$work/var/lib/postgresql/data"
chmod 1777 "$work/tmp" "$work/var/lib/postgresql/data"
chmod 3777 "$work/run/postgresql"
chown -R 999:999 "$work/var/lib/postgresql" "$work/run/postgresql"

# What the official image does before it starts the server: a new cluster with the superuser's password, then the scripts.
cat >"$work/usr/local/bin/docker-entrypoint.sh" <<'SCRIPT'
#!/bin/bash
set -euo pipefail
if [[ ${1:-} == postgres && ! -s $PGDATA/PG_VERSION ]]; then
  chmod 0700 "$PGDATA"
  # shellcheck disable=SC2086
  initdb --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust ${POSTGRES_INITDB_ARGS:-} -D "$PGDATA"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  for file in /docker-entrypoint-initdb.d/*.sql; do
    psql -v ON_ERROR_STOP=1 --no-password --no-psqlrc -U postgres -d postgres -f "$file"
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec "$@" -c 'listen_addresses=*'
SCRIPT
chmod 0755 "$work/usr/local/bin/docker-entrypoint.sh"

say "making $image"
container=$(buildah from --name "recourse-services-$key-$$" scratch {lock}>&-)
tar --sort=name --mtime=@0 --numeric-owner -C "$work" -cf "$cache/root.tar" . {lock}>&-
buildah add --quiet "$container" "$cache/root.tar" / >/dev/null {lock}>&-
rm "$cache/root.tar"
buildah config --label "$LABEL" --env "PATH=/usr/local/bin:/$postgres:/usr/sbin:/usr/bin:/sbin:/bin" \
  --env PGDATA=/var/lib/postgresql/data --env LANG=C.UTF-8 --stop-signal SIGINT \
  --entrypoint '["docker-entrypoint.sh"]' "$container"
buildah commit --quiet --rm --timestamp 0 "$container" "$image" >/dev/null {lock}>&-
buildah images --filter "label=$LABEL" --format '{{.Name}}:{{.Tag}}' | grep -v ":$key\$" | xargs -r buildah rmi >/dev/null 2>&1 || true
echo "SERVICES_IMAGE=$image"
