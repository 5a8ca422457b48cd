#!/bin/sh
# All tests, from a clean checkout: installs the Debian packages that are missing, builds into build/, runs everything,
# and ends with a line of counts. Exit code 0 when nothing failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. tests/support/setup.sh
# shellcheck disable=SC2086
install_packages $packages mandoc hdf5-tools locales python3-h5py time bash-completion zsh fish debhelper dpkg-dev file make \
  parallel && build all -DATTN_LEVELS=all || exit 1

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0

# Runs a part of the tests, shows what it says, and adds up its lines of counts. A part that ends badly without having
# counted a failure counts as one.
part() {
  title=$1
  shift
  echo "== $title"
  "$@" >"$log" 2>&1
  code=$?
  # doctest counts in its own words.
  counts=$(awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 }
                /^\[doctest\] test cases:/ { gsub(/[^0-9|]/, ""); split($0, n, "|"); p += n[2]; f += n[3] }
                END { print p + 0, f + 0 }' "$log")
  if [ "$code" -ne 0 ] || [ "${counts#* }" -ne 0 ]; then cat "$log"; else grep "^skipped: " "$log"; tail -n 1 "$log"; fi
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
  if [ "$code" -ne 0 ] && [ "${counts#* }" -eq 0 ]; then failed=$((failed + 1)); fi
}

part "unit tests" build/bin/unit-tests
part "command line and conformance" tests/cli/run.sh
for isa in baseline avx2 avx512 avx512bf16 amxbf16; do
  ATTN_ISA=$isa build/bin/posenc --version >/dev/null 2>&1 || continue
  part "conformance with $isa" env ATTN_ISA="$isa" tests/cli/run.sh 'conformance/*'
done
part "documentation" tests/docs/run.sh
quickstart() { examples/quickstart.sh && echo "1 passed, 0 failed"; }
part "quickstart" quickstart
part "damaged files" tests/fuzz/run.sh
part "failing calls" tests/faults/run.sh
part "installed library" tests/install/run.sh

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
