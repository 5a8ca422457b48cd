#!/bin/sh
# The shared library, before a release: built into build-shared/, installed, and used by the tools in all tests of the
# command line.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
export BUILD="$root/build-shared"
cmake -S "$root" --preset release -B "$BUILD" -DBUILD_SHARED_LIBS=ON && cmake --build "$BUILD" || exit 1
failed=0
check() {
  title=$1
  shift
  "$@" || { echo "FAILED: $title"; failed=1; }
}
library=$(find "$BUILD" -name libattn.so)
soname() { readelf -d "$library" | grep -q 'SONAME.*\[libattn\.so\.[0-9]*\.[0-9]*\]'; }
hidden() { ! nm -DC --defined-only "$library" | grep -m 5 -e 'attn::simd::[^ ]*kernels' -e '^[^ ]* . attn::\(io::hdf5\|fused\|PackedMatrix\)::'; }
small() {
  for source in "$root"/tools/*.cpp; do
    tool=$(basename "$source" .cpp)
    strip -o "$BUILD/stripped" "$BUILD/bin/$tool" || return
    size=$(stat -c %s "$BUILD/stripped")
    [ "$size" -le 1300000 ] || { echo "$tool: $size bytes" && return 1; }
  done
}
check "the library has a soname" soname
check "it exports its doors alone" hidden
check "a tool takes at most 1.3 MB" small
check "install" "$root/tests/install/run.sh"
check "command line" "$root/tests/cli/run.sh"
exit $failed
