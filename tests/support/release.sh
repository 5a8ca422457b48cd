#!/bin/sh
# The checklist of a release: tests/support/release.sh VERSION [SUITE...]
# As root, with git and debootstrap and about an hour: versions agree; a clean clone passes all tests; builds in two
# folders give the same package; and for each SUITE of Debian (bookworm and trixie) the package is built in one root,
# and installed, tried and purged in another that has nothing else. Ends with a line of counts.
set -u
version=${1:?usage: $0 VERSION [SUITE...]}
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
leave() { umount "$1"/proc "$1"/dev/pts; }
trap 'for opened in "$work"/*/; do leave "$opened" 2>/dev/null; done; rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
passed=0 failed=0
check() {
  title=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    echo "ok      $title"
    passed=$((passed + 1))
  else
    echo "FAILED  $title"
    tail -n 20 "$work/log" | sed 's/^/        /'
    failed=$((failed + 1))
  fi
}

versions_agree() {
  [ -z "$(git -C "$root" status --porcelain)" ] &&
    grep -q "^project(attnutils VERSION ${version%~*} " "$root/CMakeLists.txt" && grep -q "^## $version\$" "$root/CHANGELOG.md" &&
    [ "$("$work/one/build/bin/posenc" --version | head -n 1)" = "posenc (attnutils) $version" ]
}
clone() { git clone -q "$root" "$1" && git -C "$1" checkout -q "$(git -C "$root" rev-parse HEAD)"; }
all_tests() { clone "$work/one" && (cd "$work/one" && CI=true tests/run.sh); }
pack() { (cd "$1/build" && cpack -G DEB -B "$1/packages" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip); }
same_bytes() {
  other=$work/a/deeper/folder
  mkdir -p "$work/a/deeper" && clone "$other" && (cd "$other" && . tests/support/setup.sh && root=$other && CI=true build) &&
    pack "$work/one" && pack "$other" &&
    for package in "$work"/one/packages/*.deb; do cmp "$package" "$other/packages/${package##*/}" || return 1; done
}
check "a clean clone passes all tests" all_tests
check "versions agree, and nothing waits to be committed" versions_agree
check "builds in two folders give the same packages" same_bytes

# What lies in a root, but for caches, logs and the lists of dpkg.
list_of() {
  find "$1" -xdev \( -path "$1/proc" -o -path "$1/dev" -o -path "$1/sys" -o -path "$1/root" -o -path "$1/tmp" -o -path "$1/var/cache" \
    -o -path "$1/var/log" -o -path "$1/var/lib/apt" -o -path "$1/var/lib/dpkg" -o -name 'ld.so.cache' \) -prune -o -printf '%P %y %m\n' | LC_ALL=C sort
}
inside() { chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
  SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" sh -euc "$2"; }
# Tests look at pseudo-terminals. No /sys: containers and build machines may have none.
new_root() {
  debootstrap --variant=minbase --include=ca-certificates "$1" "$2" && mount -t proc proc "$2/proc" &&
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$2/dev/pts" && ln -sf pts/ptmx "$2/dev/ptmx"
}
quickstart_in() {
  new_root "$1" "$2" && git clone -q --bare "$root" "$2/source.git" &&
    inside "$2" 'apt-get install -y -q git; git clone -q /source.git /attnutils; /attnutils/examples/quickstart.sh'
}
package_in() {
  inside "$1" 'apt-get install -y -q dpkg-dev file lintian; cd /attnutils/build; cpack -G DEB -B /packages -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip
    lintian --fail-on error /packages/*.deb'
}
# Without CI=true, which builds with other options, the tests take the tools that quickstart has built.
tests_in() { inside "$1" 'cd /attnutils; tests/run.sh'; }
# README's commands and the tests of the command line, with the installed tools.
try_in() {
  new_root "$1" "$3" && inside "$3" 'apt-get install -y -q --no-install-recommends mandoc hdf5-tools time gnuplot-nox' &&
    list_of "$3" >"$work/before" && cp "$2"/packages/attnutils_*.deb "$3/tmp/attnutils.deb" &&
    inside "$3" 'apt-get install -y -q --no-install-recommends /tmp/attnutils.deb' || return 1
  mkdir "$3/tmp/attn" && cp -r "$root/README.md" "$root/tests" "$root/tools" "$root/man" "$3/tmp/attn" &&
    inside "$3" 'cp -r /usr/share/doc/attnutils/examples /tmp/attn; cd /tmp/attn; export BUILD=/usr; tests/docs/examples.sh README.md; tests/cli/run.sh'
}
leaves_nothing() {
  inside "$1" 'apt-get purge -y -q attnutils; apt-get autoremove --purge -y -q' && list_of "$1" >"$work/after" && diff "$work/before" "$work/after"
}
[ $# -gt 0 ] || set -- bookworm trixie
for suite; do
  check "$suite: quickstart in a root with git alone" quickstart_in "$suite" "$work/$suite-build"
  check "$suite: the package, without errors of lintian" package_in "$work/$suite-build"
  check "$suite: all tests" tests_in "$work/$suite-build"
  check "$suite: the package runs README's commands and tests/cli" try_in "$suite" "$work/$suite-build" "$work/$suite"
  check "$suite: purge leaves nothing" leaves_nothing "$work/$suite"
  leave "$work/$suite-build"
  leave "$work/$suite"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
