#!/bin/sh
# Debian packages of the commit that is checked out, into the folder dist/ or $DIST: tools/package/deb.sh [OPTION OF dpkg-buildpackage]...
# -a arm64 makes those of another processor. BUILT=FOLDER packs the programs of a build that is there.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^set(ATTN_VERSION ${PROJECT_VERSION}\(.*\))/\1/p' "$root/CMakeLists.txt")
version=$(sed -n 's/^project(attnutils VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$work/attnutils-$version
dist=${DIST:-$root/dist}
mkdir -p "$source" "$dist"
git -C "$root" archive HEAD | tar -x -C "$source"
cp -R "$root/tools/package/debian" "$source"
# The newest section of CHANGELOG.md in Debian's form.
{
  printf 'attnutils (%s) unstable; urgency=medium\n\n' "$version"
  sed -n '/^- /,/^## /{/^## /d;s/^- /  * /;s/^  \([^*]\)/    \1/;p}' "$root/CHANGELOG.md" | fmt -t -w 79
  printf '\n -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' "$source/debian/control")" "$(LC_ALL=C git -C "$root" log -1 --format=%cD)"
} >"$source/debian/changelog"
(cd "$source" && dpkg-buildpackage -us -uc -b "$@") </dev/null
cp "$work"/*.deb "$dist"
ls "$dist"/*_"$version"_*.deb
