#!/bin/sh
# What a reader of a change would find: format, shell, pages, spelling; with --tidy also clang-tidy, some seconds a file.
#   tests/lint.sh [--tidy] [COMMIT]
# looks at the files that differ from COMMIT (by default from the commit before), and at all pages and scripts. A tool
# that is not installed is named and left out. The exit code is 1 if something is found.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
tidy=
[ "${1:-}" != --tidy ] || { tidy=1 && shift; }
base=${1:-HEAD~1}
git rev-parse -q --verify "$base^{commit}" >/dev/null || base=HEAD
found=0
find_with() { # TOOL COMMAND...
  command -v "$1" >/dev/null || { echo "skipped: $1 is not installed" && return; }
  shift
  "$@" || found=1
}
changed() { git diff --name-only --diff-filter=d "$base" -- "$@"; }

# The table of the functions of libhdf5 is laid out by hand.
sources=$(changed '*.cpp' '*.hpp' ':!lib/attn/io/hdf5/library.hpp')
# shellcheck disable=SC2086
[ -z "$sources" ] || find_with clang-format clang-format --style=file --dry-run -Werror $sources
scripts=$(for script in $(git ls-files '*.sh' .ci/run tools/attnutils/attnutils-search); do head -n 1 "$script" | grep -q '^#!/bin/' && echo "$script"; done)
# shellcheck disable=SC2086
find_with shellcheck shellcheck -x -S warning -e SC1090,SC1091,SC2154,SC3045 $scripts
pages() {
  for page in man/*.[1357]; do mandoc -T lint -W style "$page" 2>&1; done |
    { ! grep -v -e 'referenced manual not found' -e 'outdated mandoc.db'; }
}
find_with mandoc pages
# Nd is a macro of pages; the others are names in the code.
find_with codespell codespell -q 3 -L nd,dout,ot,sav,utput,te,fo,ba,nin,ans,sems,hist,inout,ist,als,fpr,hel,oce \
  lib tools man README.md CHANGELOG.md CONTRIBUTING.md examples/README.md
if [ -n "$tidy" ]; then
  for source in $(changed 'lib/*.cpp' 'tools/*.cpp'); do
    find_with clang-tidy clang-tidy --quiet "$source" -- -std=c++17 -Ilib -Itools -I/usr/include/hdf5/serial \
      -DH5_USE_110_API -DATTN_VERSION='""' -DATTN_HDF5_VERSION='""'
  done
fi
exit $found
