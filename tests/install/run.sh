#!/bin/sh
# What `cmake --install` brings, and a stranger's program against it: found by CMake and by pkg-config. The Debian
# packages. What `uninstall` leaves. BUILD names the folder of the build.
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
(cd "$prefix" && find . ! -type d | sed 's|^\./||' | sort) >"$work/installed"
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
codecs() { "$1/bin/tconv" 2xf64=1,2 --compress zstd -f -o "$work/zstd.h5:/x" && "$1/bin/tconv" "$work/zstd.h5" -O csv; }
check "the module of what compresses is found beside the tools" codecs "$prefix"
picture() { "$1/bin/tconv" "$root/tests/conformance/image/rgb.png" --list | grep pixels; }
check "the module of pictures is found beside the tools" picture "$prefix"
hdf5_without() { find "$prefix" -name libattn-hdf5.so -delete && ! compressed "$prefix" 2>"$work/said" && grep -q "cannot be loaded" "$work/said" && plain "$prefix"; }
formula_without() { find "$prefix" -name libattn-reference.so -delete && ! formula "$prefix" 2>"$work/said" && grep -q "cannot be loaded" "$work/said"; }
codecs_without() { find "$prefix" -name libattn-codecs.so -delete && ! codecs "$prefix" 2>"$work/said" && grep -q "cannot be loaded" "$work/said"; }
picture_without() { find "$prefix" -name libattn-pictures.so -delete && ! picture "$prefix" 2>"$work/said" && grep -q "cannot be loaded" "$work/said"; }
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

# The library exports its doors, tools are small, and all together takes 30 MB.
library=$(find "$prefix" -name 'libattn.so.*.*.*')
soname() { readelf -d "$library" | grep -q 'SONAME.*\[libattn\.so\.[0-9]*\.[0-9]*\]'; }
check "the library has a soname" soname
hidden() { ! nm -DC --defined-only "$library" | grep -m 5 -e 'attn::simd::[^ ]*kernels' -e '^[^ ]* . attn::\(io::hdf5\|fused\|PackedMatrix\)::'; }
check "it exports its doors alone" hidden
small() { [ -z "$(find "$prefix/bin" -size +1000000c -print)" ] && [ "$(du -s --apparent-size -B 1000000 "$prefix" | cut -f 1)" -le 30 ]; }
check "a tool takes at most 1 MB, all of it 30 MB" small

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
check "so is that of what compresses" codecs_without
check "so is that of pictures" picture_without
check "so is that of HDF5, which plain files do without" hdf5_without

# Every installed header stands on its own.
all_headers() {
  (cd "$prefix/include" && find attn -name '*.hpp' | sort | sed 's/.*/#include <&>/') >"$work/headers.cpp"
  # shellcheck disable=SC2046
  g++ -std=c++17 -fsyntax-only -Wall -Wextra $(pkg_config --cflags) "$work/headers.cpp"
}
check "all installed headers compile" all_headers

# What is not listed stays, and so does what was there before.
uninstalled() {
  touch "$prefix/bin/of-another" && cmake --build "$build" --target uninstall &&
    [ "$(cd "$prefix" && find . | sort | tr '\n' ' ')" = ". ./bin ./bin/of-another ./share ./share/man ./share/man/man1 " ]
}
check "uninstall removes what was installed" uninstalled

# The Debian packages of this build. attnutils: the tools, their pages, the examples that examples/README.md describes.
# libattn0.N: the library and its modules. libattn-dev: all else that is installed.
pack() { (umask 077 && cd "$root" && BUILT=$build DIST=$work/$1 SOURCE_DATE_EPOCH=1 tools/package/deb.sh); }
expected_files() {
  printf '%s\n' ./bin/attnutils ./bin/attnutils-search
  for source in "$root"/tools/*.cpp; do echo "./bin/$(basename "$source" .cpp)"; done
  for page in "$root"/man/*.[157]; do echo "./share/man/man${page##*.}/${page##*/}.gz"; done
  cd "$root/examples" || return
  sed -n 's/^| \(`[^|]*\) |.*/\1/p' README.md | tr -d '`,' | tr ' ' '\n' | grep -v -e quickstart.sh -e "\.cpp$" |
    while read -r name; do find "$name" -type f; done | sed 's|^|./share/doc/attnutils/examples/|'
  echo ./share/doc/attnutils/examples/README.md
}
contents() {
  expected_files | sort >"$work/expected"
  (cd "$unpacked" && find ./bin ./share/man ./share/doc -type f | grep -v -e man3 -e '\.cpp$' -e copyright -e changelog | sort) >"$work/contained"
  diff "$work/expected" "$work/contained"
}
# Every installed file is in a package, once.
all_packed() {
  for package in "$work"/dist/*.deb; do dpkg-deb -c "$package" | awk '$1 !~ /^d/ { print $6 }'; done |
    sed 's|^\./usr/||; s|\.gz$||' | grep -v -e '/copyright$' -e '/changelog' | sort >"$work/contained"
  sed -i 's|share/zsh/vendor-completions|share/zsh/site-functions|; s|share/doc/libattn-dev|share/doc/attnutils|' "$work/contained"
  sort "$work/contained" | diff "$work/installed" -
}
modes() { ! for package in "$work"/dist/*.deb; do dpkg-deb -c "$package"; done | grep -v -e '^[d-]rwxr-xr-x root/root ' -e '^-rw-r--r-- root/root ' -e '^lrwxrwxrwx root/root '; }
control() {
  [ "$("$unpacked/bin/posenc" --version | head -n 1)" = "posenc (attnutils) $(dpkg-deb -f "$work"/dist/attnutils_*.deb Version)" ] &&
    dpkg-deb -f "$work"/dist/attnutils_*.deb Depends | grep 'libattn0' && dpkg-deb -f "$work"/dist/libattn0*.deb Depends | grep 'libopenblas0.*libsentencepiece0' &&
    dpkg-deb -f "$work"/dist/libattn-dev_*.deb Depends | grep libxtensor-dev
}
date_model() { [ "$("$unpacked/bin/transformer-run" -m "$unpacked/share/doc/attnutils/examples/dates" '3 mars 2021')" = 2021-03-03 ]; }
unpack() { for package in "$work"/dist/*.deb; do dpkg-deb -x "$package" "$work/unpacked" || return; done; }
same_bytes() { pack again && diff -r "$work/dist" "$work/again"; }
check "packages are made" pack dist
unpacked=$work/unpacked/usr
check "they unpack" unpack
LD_LIBRARY_PATH=$(dirname "$(find "$unpacked" -name 'libattn.so.*.*.*')")
export LD_LIBRARY_PATH
check "that of the tools has what it should have" contents
check "all that is installed is in one of them" all_packed
check "everybody can read them" modes
check "the version and what they depend on" control
check "a tool of the package runs a model of the package" date_model
check "the module of sentencepiece is found in the package" pieces "$unpacked"
check "the module of the reference engine is found in the package" formula "$unpacked"
check "the same bytes again" same_bytes
stranger_of_packages() {
  cmake -S "$here" -B "$work/package-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$unpacked" &&
    cmake --build "$work/package-cmake" && "$work/package-cmake/stranger"
}
check "the program of find_package(attn) of the packages runs" stranger_of_packages
unset LD_LIBRARY_PATH

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
