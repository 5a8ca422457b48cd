#!/bin/sh
# What `cmake --install` brings, and a stranger's program against it: found by CMake and by pkg-config.
# What `uninstall` leaves.
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
pieces() { echo "a b" | "$prefix/bin/tokenize" -m "$root/tests/conformance/tokenizers/t5"; }
check "the module of sentencepiece is found beside the tools" pieces
pieces_without() { find "$prefix" -name libattn-sentencepiece.so -delete && ! pieces 2>"$work/said" && grep -q "cannot be loaded" "$work/said"; }
check "the man pages are installed" test -e "$prefix/share/man/man1/posenc.1" -a -e "$prefix/share/man/man7/attnutils.7"

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
check "the program of pkg-config runs" "$work/stranger"

check "a missing module is named" pieces_without

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

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
