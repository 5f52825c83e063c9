#!/usr/bin/env bash
# Builds the image on the stand-in bases of local-base.sh, from the files of this work tree, and prints its name:
#
#   IMAGE=localhost/recourse-gateway:…
#
# The same files give the same name, and are built once. With --again they are built once more with other file times, and the
# name is localhost/recourse-gateway:again; the id must be the same. Needs root, buildah, git, and what local-base.sh needs.
set -euo pipefail

readonly NAME=localhost/recourse-gateway
readonly LIMIT_SECONDS=540

say() { echo "$*" >&2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
# Root may read the files of another user here, as in the workflows.
git() { command git -c safe.directory='*' "$@"; }

bases=$(deploy/image/local-base.sh)
build_image=$(sed -n 's/^BUILD_IMAGE=//p' <<<"$bases")
run_image=$(sed -n 's/^RUN_IMAGE=//p' <<<"$bases")
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' packages/gateway/package.json)
revision=$(git rev-parse HEAD)
seconds=$(git show -s --format=%ct HEAD)
created=$(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)

cache=${XDG_CACHE_HOME:-$HOME/.cache}/recourse/bases
exec {lock}>"$cache/build.lock"
flock --wait 900 "$lock" || { say "another build holds $cache/build.lock"; exit 1; }

# The files as they are now, so that an edit during the build changes nothing. .dockerignore says which: what it lets through
# is written as a path, what it leaves out of these as a pattern.
context=$(mktemp -d "${TMPDIR:-/tmp}/recourse-image-XXXXXX")
trap 'rm -rf "$context"' EXIT
mapfile -t taken < <(sed -n 's/^!//p' .dockerignore)
git ls-files -z --cached --others --exclude-standard -- "${taken[@]/#/:(glob)}" .dockerignore |
  while IFS= read -r -d '' file; do if [[ -f $file ]]; then printf '%s\0' "$file"; fi; done |
  sort -zu | xargs -0 cp --parents --no-preserve=timestamps,ownership -t "$context"
find "$context" -name '*.test.ts' -delete
files=$(cd "$context" && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
key=$(sha256sum <<<"$files $bases $version $revision" | cut -c1-12)

tag=$key
if [[ ${1:-} == --again ]]; then
  tag=again
  find "$context" -exec touch -h -d '2001-02-03 04:05:06' {} +
elif buildah inspect --type image "$NAME:$key" >/dev/null 2>&1; then
  touch "$cache/built-$key"
  echo "IMAGE=$NAME:$key"
  exit 0
fi

# What a build left that was killed: nobody else builds while this one holds the lock.
buildah containers --format '{{.ContainerID}} {{.ImageName}}' | awk '$2 ~ /recourse-base-/ { print $1 }' |
  xargs -r buildah rm >/dev/null || say "an earlier build left containers that cannot be removed"

volumes=()
npm_cache=$(npm config get cache)/_cacache
if [[ -d $npm_cache ]]; then volumes=(--volume "$npm_cache:/root/.npm/_cacache"); fi
say "building $NAME:$tag"
# In a namespace of its own, so that a build that is killed takes its programs with it.
timeout --kill-after=10 "$LIMIT_SECONDS" unshare --pid --fork --kill-child --mount-proc buildah build --isolation=chroot --no-cache --timestamp "$seconds" \
  "${volumes[@]}" \
  --build-arg "BUILD_IMAGE=$build_image" --build-arg "RUN_IMAGE=$run_image" \
  --build-arg "VERSION=$version" --build-arg "REVISION=$revision" --build-arg "CREATED=$created" \
  --file "$context/deploy/image/Dockerfile" --tag "$NAME:$tag" "$context" >&2 {lock}>&-
# Images that nobody asked for since yesterday. One that a container uses stays.
touch "$cache/built-$tag"
find "$cache" -maxdepth 1 -name 'built-*' -mmin +1440 | while IFS= read -r old; do
  buildah rmi "$NAME:${old##*/built-}" >/dev/null 2>&1 || true
  rm -f "$old"
done
echo "IMAGE=$NAME:$tag"
