#!/bin/sh
# Other machines and compilers, as far as they can be had here: tests/machines.sh [native] [arm64] [clang] [riscv64]
#   native  a build with the kernels of this processor alone has the bits of one with all, which is in build/
#   arm64   a cross build with Debian's compiler and libraries, in build-arm64/; its unit tests, conformance and the
#           dates model in the emulator qemu
#   clang   builds with clang, its libstdc++ and its libc++; the unit tests of each
#   riscv64 the library and what tools share compile for a processor that has no kernels of its own
# Installs what is missing. What cannot be had here is skipped, and says so; a release needs all.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. tests/support/setup.sh
passed=0 failed=0
check() {
  title=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    echo "FAILED: $title"
    failed=$((failed + 1))
  fi
}

# What some stages and models write goes into folder $2.
results_of() {
  mkdir -p "$2"
  PATH="$1:$PATH" sh -eu -c '
    cd "$0"
    posenc --length 300 --dim 64 --no-history -o x.h5
    attend -q x.h5 -k x.h5 -v x.h5 --no-history -o attend.h5
    attend -q x.h5 -k x.h5 -v x.h5 --vjp x.h5 --no-history -o gradients.h5
    nwreg -x "$1/mcycle.csv:/times" -y "$1/mcycle.csv:/accel" --bandwidth cv --degree 1 --no-history -o nwreg.h5
    echo "3 mars 2021" | transformer-run -m "$1/dates" --emit logits --no-history -o dates.h5
  ' "$2" "$root/examples"
}
same_bits() {
  rm -rf build-native/results
  results_of "$root/build/bin" build-native/results/all && results_of "$root/build-native/bin" build-native/results/native &&
    diff -r build-native/results/all build-native/results/native
}
native() {
  build tools native -DATTN_LEVELS=native || return
  check "kernels for this processor alone have the same bits" same_bits
}

# Debian's packages for another architecture, unpacked below a folder by an apt with a state of its own: nothing of this
# system changes. sysroot FOLDER ARCHITECTURE PACKAGE...
sysroot() {
  system=$1 architecture=$2
  shift 2
  mkdir -p "$system/state/lists/partial" "$system/archives/partial" "$system/root" && : >"$system/status" || return
  cat >"$system/apt.conf" <<END
Dir::State "$system/state";
Dir::State::status "$system/status";
Dir::Cache::archives "$system/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
END
  APT_CONFIG=$system/apt.conf apt-get -qq update &&
    APT_CONFIG=$system/apt.conf apt-get -qq -y --no-install-recommends --download-only install "$@" || return
  for package in "$system"/archives/*.deb; do dpkg -x "$package" "$system/root" || return; done
  # Links from the root of that system; and OpenBLAS, which is chosen when it is installed.
  find "$system/root" -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$system/root$(readlink "$link")")" "$link"
  done
  for file in "$system"/root/usr/lib/*/openblas-pthread/*.so*; do ln -sf "openblas-pthread/${file##*/}" "${file%/*/*}"; done
  for file in "$system"/root/usr/lib/*/openblas-pthread/pkgconfig/*.pc; do ln -sf "../openblas-pthread/pkgconfig/${file##*/}" "${file%/*/*/*}/pkgconfig"; done
}

arm64() {
  folder=$root/build-arm64
  # shellcheck disable=SC2086
  if ! install_packages g++-aarch64-linux-gnu qemu-user-static || ! sysroot "$folder/system" arm64 libstdc++-12-dev $libraries; then
    echo "skipped: arm64: its compiler, libraries or emulator cannot be had here"
    return
  fi
  SYSROOT=$folder/system/root QEMU_LD_PREFIX=$folder/system/root
  PKG_CONFIG_LIBDIR=$SYSROOT/usr/lib/aarch64-linux-gnu/pkgconfig:$SYSROOT/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$SYSROOT
  export SYSROOT QEMU_LD_PREFIX PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
  build all arm64 || return
  mkdir -p "$folder/emulated/bin"
  for tool in "$folder"/bin/*; do
    printf '#!/bin/sh\nexec qemu-aarch64-static "%s" "$@"\n' "$tool" >"$folder/emulated/bin/${tool##*/}"
    chmod +x "$folder/emulated/bin/${tool##*/}"
  done
  # The emulator takes twenty times as long: rooms whose tests are short, and conformance for the others.
  check "arm64: unit tests" qemu-aarch64-static "$folder/bin/unit-tests" -m \
    -sf="*/unit/api/*,*/unit/core/*,*/unit/image/*,*/unit/json/*,*/unit/regression/windows/*,*/unit/simd/*,*/unit/text/*,*/unit/transformer/*"
  check "arm64: conformance" env BUILD="$folder/emulated" tests/cli/run.sh 'conformance/*'
  check "arm64: the dates model" [ "$("$folder/emulated/bin/transformer-run" -m examples/dates "3 mars 2021")" = 2021-03-03 ]
}

clang() {
  if ! install_packages clang libc++-dev libc++abi-dev libfast-float-dev; then
    echo "skipped: clang: it or its library cannot be had here"
    return
  fi
  build unit-tests clang || return
  check "clang: unit tests" build-clang/bin/unit-tests -m
  # Debian's libsentencepiece takes the strings of libstdc++.
  build unit-tests libcxx || return
  check "clang with libc++: unit tests" build-libcxx/bin/unit-tests -m -tce="*sentencepiece*"
}

riscv64() {
  if ! install_packages g++-riscv64-linux-gnu; then
    echo "skipped: riscv64: its compiler cannot be had here"
    return
  fi
  HOST_LIBRARIES=$(g++ -print-multiarch) && export HOST_LIBRARIES
  check "riscv64: the library compiles" build attn riscv64
  check "riscv64: what tools share compiles" build attn-cli riscv64
}

[ $# -gt 0 ] || set -- native arm64 clang riscv64
for part; do
  echo "== $part"
  "$part" || failed=$((failed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
