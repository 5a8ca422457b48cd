#!/bin/sh
# All tests, from a clean checkout: installs the Debian packages that are missing, builds into build/, runs everything,
# and ends with a line of counts. Exit code 0 when nothing failed.
#
#   tests/run.sh --sanitize   unit tests, command line and damaged files under AddressSanitizer, LeakSanitizer and
#                             UndefinedBehaviorSanitizer, in build-sanitize/; each report of theirs is a failure
#   tests/run.sh --coverage   unit tests and command line in build-coverage/, then the share of lines that ran
#   tests/run.sh --help       this text
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
kind=${1:-}
kind=${kind#--}
case ${1:-} in
  '' | --sanitize | --coverage) ;;
  --help) exec sed -n '2,/^set/s/^#\( \|$\)//p' "$0" ;;
  *) "$0" --help >&2 && exit 2 ;;
esac
export BUILD="$root/build${kind:+-$kind}"
. tests/support/setup.sh
[ "$kind" != coverage ] || packages="$packages gcovr"
# shellcheck disable=SC2086
install_packages $packages mandoc hdf5-tools locales python3-h5py time bash-completion zsh fish debhelper dpkg-dev file jq make \
  parallel && build all "$kind" -DATTN_LEVELS=all || exit 1

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

# A report goes into a file, as tests may hide what a tool says. The tools handle SIGBUS themselves. The folder of the
# modules is named, as AddressSanitizer calls dlopen() for us, and $ORIGIN is then its own.
reports=$BUILD/reports
if [ "$kind" = sanitize ]; then
  rm -rf "$reports" && mkdir "$reports"
  export ASAN_OPTIONS="log_path=$reports/report:exitcode=99:handle_sigbus=0" LSAN_OPTIONS=print_suppressions=0
  export UBSAN_OPTIONS="log_path=$reports/report:exitcode=99:print_stacktrace=1"
  LD_LIBRARY_PATH=$(dirname "$(find "$BUILD/lib" -name libattn-hdf5.so)")
  export LD_LIBRARY_PATH
fi
no_reports() {
  set -- "$reports"/*
  [ -e "$1" ] || { echo "1 passed, 0 failed" && return; }
  cat "$@"
  echo "0 passed, $# failed"
}

# The share of lines that ran, of each room and in total; that of each file is in files.csv.
share_of_lines() {
  gcovr --root "$root" --filter "$root/lib/" --filter "$root/tools/" -j 2 --csv "$BUILD/files.csv" "$BUILD" || return
  awk -F, '
    function add(room) { lines[room] += $2; ran[room] += $3 }
    NR > 1 && $2 > 0 {
      split($1, name, "/")
      add(name[2] == "attn" ? "lib/attn/" name[3] : name[2] == "cli" ? "tools/cli" : name[1] == "lib" ? "lib/modules" : "tools")
      add("total")
    }
    END { for (room in lines) printf "%-22s %6d of %6d lines %5.1f %%\n", room, ran[room], lines[room], 100 * ran[room] / lines[room] }
  ' "$BUILD/files.csv" | LC_ALL=C sort
}
[ "$kind" != coverage ] || find "$BUILD" -name '*.gcda' -delete

part "unit tests" "$BUILD/bin/unit-tests"
part "command line and conformance" tests/cli/run.sh
[ "$kind" = coverage ] || part "damaged files" tests/fuzz/run.sh
[ "$kind" != sanitize ] || part "reports of sanitizers" no_reports
[ "$kind" != coverage ] || share_of_lines
# What is preloaded and what is installed is the build without either; documentation and quickstart call the same tools.
if [ -z "$kind" ]; then
  for isa in baseline avx2 avx512 avx512bf16 amxbf16; do
    ATTN_ISA=$isa build/bin/posenc --version >/dev/null 2>&1 || continue
    part "conformance with $isa" env ATTN_ISA="$isa" tests/cli/run.sh 'conformance/*'
  done
  part "documentation" tests/docs/run.sh
  quickstart() { examples/quickstart.sh && echo "1 passed, 0 failed"; }
  part "quickstart" quickstart
  part "failing calls" tests/faults/run.sh
  part "installed library" tests/install/run.sh
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
