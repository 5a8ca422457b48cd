#!/bin/sh
# What `cmake --install` brings, and a stranger's program against it: found by CMake and by pkg-config. The Debian
# packages. What `uninstall` leaves. BUILD names the folder of the build, which may be one with BUILD_SHARED_LIBS.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${BUILD:-$root/build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() {
  title=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
  else
    echo "FAILED: $title"
    tail -n 20 "$work/log" | sed 's/^/    /'
    failed=$((failed + 1))
  fi
}
prefix=$work/prefix

mkdir -p "$prefix/share/man/man1"  # there before, so it stays
check "cmake --install" cmake --install "$build" --prefix "$prefix"
check "the tools are installed" "$prefix/bin/posenc" --version
stripped() { nm "$prefix/bin/posenc" 2>&1 | grep 'no symbols'; }
check "the tools are stripped" stripped
pieces() { echo "a b" | "$1/bin/tokenize" -m "$root/tests/conformance/tokenizers/t5"; }
check "the module of sentencepiece is found beside the tools" pieces "$prefix"
formula() { "$1/bin/attend" -q 1 -k 2x1=1,2 -v 2x1=10,20 --engine reference; }
check "the module of the reference engine is found beside the tools" formula "$prefix"
compressed() { "$1/bin/tconv" 2xf64=1,2 --compress gzip -f -o "$work/compressed.h5:/x" && "$1/bin/tconv" "$work/compressed.h5" -O csv; }
plain() { "$1/bin/tconv" 2xf64=1,2 -f -o "$work/plain.h5" && "$1/bin/tconv" "$work/plain.h5" -O csv; }
check "the module of HDF5 is found beside the tools" compressed "$prefix"
hdf5_without() { find "$prefix" -name libattn-hdf5.so -delete && ! compressed "$prefix" 2>"$work/said" && grep -q "cannot be loaded" "$work/said" && plain "$prefix"; }
formula_without() { find "$prefix" -name libattn-reference.so -delete && ! formula "$prefix" 2>"$work/said" && grep -q "cannot be loaded" "$work/said"; }
pieces_without() { find "$prefix" -name libattn-sentencepiece.so -delete && ! pieces "$prefix" 2>"$work/said" && grep -q "cannot be loaded" "$work/said"; }
check "the man pages are installed" test -e "$prefix/share/man/man1/posenc.1" -a -e "$prefix/share/man/man3/attn.3" -a -e "$prefix/share/man/man7/attnutils.7"

same_as_printed() { "$prefix/bin/posenc" --completions "$1" | cmp - "$prefix/share/$2"; }
check "completions for bash are installed" same_as_printed bash bash-completion/completions/posenc
check "completions for zsh are installed" same_as_printed zsh zsh/site-functions/_posenc
check "completions for fish are installed" same_as_printed fish fish/vendor_completions.d/posenc.fish

check "find_package(attn) configures" cmake -S "$here" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
check "find_package(attn) builds" cmake --build "$work/cmake"
check "the program of find_package(attn) runs" "$work/cmake/stranger"

pkg_config() { PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name attn.pc)") pkg-config "$@" attn; }
build_with_pkg_config() {
  # shellcheck disable=SC2046
  g++ -std=c++17 $(pkg_config --cflags) "$here/stranger.cpp" -o "$work/stranger" $(pkg_config --libs)
}
check "pkg-config attn builds" build_with_pkg_config
libraries=$(dirname "$(find "$prefix" -name 'libattn.*' | head -n 1)")
check "the program of pkg-config runs" env LD_LIBRARY_PATH="$libraries" "$work/stranger"

# Tools contain the vector kernels that they can call, and like other programs call of the library what it exports when it is shared.
without_kernels() { for tool in softmax tconv tdiff tplot; do ! nm -C "$build/bin/$tool" | grep -m 3 'simd::\(baseline\|avx\|amx\)' || return; done; }
check "tools that multiply nothing contain no vector kernels" without_kernels
exported() {
  find "$build/tools" "$work/cmake" -name '*.o' -exec nm -u {} + | awk 'NF == 2 { print $2 }' | sort -u >"$work/called"
  readelf -sW "$build/lib/libattn.a" | awk '$6 == "HIDDEN" && $7 != "UND" { print $8 }' | sort -u >"$work/hidden"
  comm -12 "$work/called" "$work/hidden" | c++filt >"$work/missing"
  cat "$work/missing"
  [ -s "$work/called" ] && [ -s "$work/hidden" ] && [ ! -s "$work/missing" ]
}
[ ! -e "$build/lib/libattn.a" ] || check "what tools and programs call is exported" exported

# Each program prints what its twin in the shell prints, the lines "// $ ..." at its head, and finds its formula equal.
cp -R "$root/examples" "$work/examples"
equals_twin() {
  sed -n 's|^// [$>] ||p' "$root/examples/$1.cpp" >"$work/twin.sh"
  cd "$work/examples" && PATH="$prefix/bin:$PATH" sh -e "$work/twin.sh" >"$work/twin" && "$work/cmake/$1" >"$work/printed" &&
    [ -s "$work/printed" ] && diff "$work/twin" "$work/printed"
}
for program in "$root"/examples/*.cpp; do
  name=$(basename "$program" .cpp)
  check "$name prints what the shell prints" equals_twin "$name"
done

# The program of attn(3).
build_page() {
  sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$root/man/attn.3" | sed '/^\./d; s/\\e/\\/g' >"$work/page.cpp"
  # shellcheck disable=SC2046
  g++ -std=c++17 $(pkg_config --cflags) "$work/page.cpp" -o "$work/page" $(pkg_config --libs)
}
check "the program of attn.3 builds" build_page
check "the program of attn.3 runs" env LD_LIBRARY_PATH="$libraries" "$work/page"

check "a missing module is named" pieces_without
check "so is that of the reference engine" formula_without
check "so is that of HDF5, which plain files do without" hdf5_without

# Every installed header stands on its own.
all_headers() {
  (cd "$prefix/include" && find attn -name '*.hpp' | sort | sed 's/.*/#include <&>/') >"$work/headers.cpp"
  # shellcheck disable=SC2046
  g++ -std=c++17 -fsyntax-only -Wall -Wextra $(pkg_config --cflags) "$work/headers.cpp"
}
check "all installed headers compile" all_headers

# The packages. attnutils: the tools, their pages, the examples that examples/README.md describes, and what Debian asks
# for. libattn-dev: all else that is installed.
pack() { (umask 077 && cd "$build" && SOURCE_DATE_EPOCH=1 cpack -G DEB -B "$work/$1" -D CPACK_DEBIAN_COMPRESSION_TYPE=none); }
same_bytes() { pack again && diff -r -x _CPack_Packages "$work/package" "$work/again"; }
expected_files() {
  for source in "$root"/tools/*.cpp; do echo "./bin/$(basename "$source" .cpp)"; done
  for page in "$root"/man/*.[157]; do echo "./share/man/man${page##*.}/${page##*/}.gz"; done
  cd "$root/examples" || return
  sed -n 's/^| \(`[^|]*\) |.*/\1/p' README.md | tr -d '`,' | tr ' ' '\n' | grep -v -e quickstart.sh -e "\.cpp$" |
    while read -r name; do find "$name" -type f; done | sed 's|^|./share/doc/attnutils/examples/|'
  printf './share/doc/attnutils/%s\n' copyright changelog.gz examples/README.md
  echo ./share/lintian/overrides/attnutils
  (cd "$build" && find ./lib -path '*/modules/*.so')
  cd "$prefix" && find ./lib -name 'libattn.so.*' -type f
}
contents() {
  expected_files | sort >"$work/expected"
  (cd "$unpacked" && find . -type f | grep -v -e /bash-completion/ -e /zsh/ -e /fish/ | sort) >"$work/contained"
  diff "$work/expected" "$work/contained"
}
library_contents() {
  (cd "$prefix" && find ./include ./lib -type f ! -path '*/modules/*' ! -name 'libattn.so*' >"$work/expected")
  (cd "$root/examples" && printf './share/doc/attnutils/examples/%s\n' *.cpp >>"$work/expected")
  printf './share/%s\n' man/man3/attn.3.gz doc/libattn-dev/changelog.gz doc/libattn-dev/copyright >>"$work/expected"
  dpkg-deb -x "$library" "$work/library" && (cd "$work/library/usr" && find . -type f | sort) >"$work/contained" && sort "$work/expected" | diff - "$work/contained"
}
modes() { ! { dpkg-deb -c "$package" && dpkg-deb -c "$library"; } | grep -v -e '^[d-]rwxr-xr-x root/root ' -e '^-rw-r--r-- root/root ' -e '^lrwxrwxrwx root/root '; }
control() {
  [ "$("$unpacked/bin/posenc" --version | head -n 1)" = "posenc (attnutils) $(dpkg-deb -f "$package" Version)" ] &&
    dpkg-deb -f "$package" Depends | grep 'libc6 (.*libopenblas0.*libsentencepiece0 (' && dpkg-deb -f "$library" Depends | grep libxtensor-dev
}
date_model() { [ "$("$unpacked/bin/transformer-run" -m "$unpacked/share/doc/attnutils/examples/dates" '3 mars 2021')" = 2021-03-03 ]; }
check "cpack packs" pack package
package=$(echo "$work"/package/attnutils_*.deb) library=$(echo "$work"/package/libattn-dev_*.deb) unpacked=$work/unpacked/usr
check "the package unpacks" dpkg-deb -x "$package" "$work/unpacked"
check "the package has what it should have" contents
check "so has that of the library" library_contents
check "everybody can read them" modes
check "the version and what they depend on" control
check "a tool of the package runs a model of the package" date_model
check "the module of sentencepiece is found in the package" pieces "$unpacked"
check "the module of the reference engine is found in the package" formula "$unpacked"
check "the same bytes again" same_bytes
stranger_of_packages() {
  dpkg-deb -x "$library" "$work/unpacked" && cmake -S "$here" -B "$work/package-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$unpacked" &&
    cmake --build "$work/package-cmake" && "$work/package-cmake/stranger"
}
check "the program of find_package(attn) of the packages runs" stranger_of_packages

# What is not listed stays, and so does what was there before.
uninstalled() {
  touch "$prefix/bin/of-another" && cmake --build "$build" --target uninstall &&
    [ "$(cd "$prefix" && find . | sort | tr '\n' ' ')" = ". ./bin ./bin/of-another ./share ./share/man ./share/man/man1 " ]
}
check "uninstall removes what was installed" uninstalled

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
