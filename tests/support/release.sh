#!/bin/sh
# The checklist of a release: tests/support/release.sh VERSION [SUITE...]
# As root, with git, debootstrap, debhelper and about two hours: versions agree; a clean clone passes all tests; two builds
# give the same packages; and for each SUITE of Debian (bookworm and trixie) packages are built in one root, and installed,
# tried and purged in another that has nothing else. Ends with a line of counts. The tarball and the packages of the first
# SUITE are then in dist/.
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
same_bytes() {
  for packages in a b; do DIST=$work/packages-$packages "$work/one/tools/package/deb.sh" || return; done
  diff -r "$work/packages-a" "$work/packages-b"
}
check "a clean clone passes all tests" all_tests
check "versions agree, and nothing waits to be committed" versions_agree
check "two builds give the same packages" same_bytes

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
  inside "$1" 'apt-get install -y -q --no-install-recommends debhelper lintian; cd /attnutils; DIST=/packages tools/package/deb.sh
    lintian --fail-on error /packages/*.deb'
}
# Without CI=true, which builds with other options, the tests take the tools that quickstart has built.
tests_in() { inside "$1" 'cd /attnutils; tests/run.sh'; }
# The tests of the command line with the installed tools.
try_in() {
  new_root "$1" "$3" && inside "$3" 'apt-get install -y -q --no-install-recommends mandoc hdf5-tools time gnuplot-nox' &&
    list_of "$3" >"$work/before" && cp "$2"/packages/*.deb "$3/tmp" &&
    inside "$3" 'apt-get install -y -q --no-install-recommends /tmp/attnutils_*.deb /tmp/libattn0*.deb' || return 1
  mkdir "$3/tmp/attn" && git -C "$root" archive HEAD | tar -x -C "$3/tmp/attn" &&
    inside "$3" 'cd /tmp/attn; rm -r examples; cp -r /usr/share/doc/attnutils/examples .; BUILD=/usr tests/cli/run.sh'
}
# README's commands, and a program that is built with the library.
tests_of_packages_in() {
  inside "$1" 'apt-get install -y -q --no-install-recommends autopkgtest; cp -R /attnutils/tools/package/debian /attnutils
    autopkgtest /packages/*.deb /attnutils -- null'
}
leaves_nothing() {
  inside "$1" 'apt-get purge -y -q attnutils libattn0* libattn-dev; apt-get autoremove --purge -y -q' && list_of "$1" >"$work/after" && diff "$work/before" "$work/after"
}
[ $# -gt 0 ] || set -- bookworm trixie
for suite; do
  check "$suite: quickstart in a root with git alone" quickstart_in "$suite" "$work/$suite-build"
  check "$suite: the package, without errors of lintian" package_in "$work/$suite-build"
  check "$suite: all tests" tests_in "$work/$suite-build"
  check "$suite: autopkgtest" tests_of_packages_in "$work/$suite-build"
  check "$suite: the package passes tests/cli" try_in "$suite" "$work/$suite-build" "$work/$suite"
  check "$suite: purge leaves nothing" leaves_nothing "$work/$suite"
  leave "$work/$suite-build"
  leave "$work/$suite"
  mkdir -p "$root/dist"
  [ -e "$root/dist/attnutils-$version.tar.gz" ] || cp "$work/$suite-build"/packages/*.deb "$root/dist"
  git -C "$root" archive --prefix="attnutils-$version/" HEAD | gzip -9n >"$root/dist/attnutils-$version.tar.gz"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
