#!/bin/sh
# Runs the command-line and conformance tests: tests/cli/run.sh [PATTERN]..., e.g. 'attend/*' or '*causal*'.
#
# A test is a script NAME.sh under tests/cli or tests/conformance. It runs with sh -eu in an empty directory, with the
# tools first in PATH. Beside it stands what it must do:
#   NAME.stdout, NAME.stderr            the exact output
#   NAME.stdout.glob, NAME.stderr.glob  the output line by line as shell patterns
#   NAME.exit                           the exit code
# Without a file, the stream must be empty and the exit code 0. Exit code 77 skips: what the test needs is not here.
# BUILD=/usr tests the tools that are installed in /usr/bin.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export BUILD="${BUILD:-$root/build}" FIXTURES="$root/tests/fixtures" EXAMPLES="$root/examples" SUPPORT="$root/tests/support"
export CONFORMANCE="$root/tests/conformance"
export PATH="$BUILD/bin:$PATH" LC_ALL=C.UTF-8 TERM=dumb
unset SOURCE_DATE_EPOCH NO_COLOR OMP_NUM_THREADS HDF5_PLUGIN_PATH

# Do the lines of file $1 match the patterns in file $2, one by one?
matches_globs() {
  exec 3<"$1" 4<"$2"
  while IFS= read -r glob <&4; do
    IFS= read -r line <&3 || return 1
    # shellcheck disable=SC2254
    case $line in $glob) ;; *) return 1 ;; esac
  done
  ! IFS= read -r line <&3
}

# Compares stream $2 (stdout or stderr) of test $1; prints what differs.
check_stream() {
  if [ -e "$1.$2.glob" ]; then
    matches_globs "$own/$2" "$1.$2.glob" && return 0
    echo "  $2 does not match $1.$2.glob:"
    sed 's/^/    /' "$own/$2" | head -n 20
    return 1
  fi
  expected=$1.$2
  [ -e "$expected" ] || expected=/dev/null
  cmp -s "$expected" "$own/$2" && return 0
  echo "  $2 differs (< expected, > actual):"
  diff "$expected" "$own/$2" | sed 's/^/    /' | head -n 20
  return 1
}

# Runs one test, in directories of its own, and leaves a file that says how it ended.
run_test() {
  script=$1
  test=${script%.sh}
  name=${test#"$root/tests/"}
  name=${name#cli/}
  own=$(mktemp -d "$WORK/test.XXXXXX")
  mkdir "$own/scratch"
  (cd "$own/scratch" && TESTDIR=$(dirname "$script") exec sh -eu "$script") </dev/null >"$own/stdout" 2>"$own/stderr"
  code=$?
  LC_ALL=C sed -i 's/(attnutils [0-9][0-9.]*\(~dev\)\{0,1\})/(attnutils VERSION)/' "$own/stdout"
  expected_code=0
  [ ! -e "$test.exit" ] || expected_code=$(cat "$test.exit")
  if [ $code -eq 77 ] && [ "$expected_code" -ne 77 ]; then
    echo "skipped: $name: $(head -n 1 "$own/stderr")"
    : >"$own/skipped"
    return
  fi
  report=$(
    [ "$code" -eq "$expected_code" ] || echo "  exit code $code, expected $expected_code"
    check_stream "$test" stdout
    check_stream "$test" stderr
  )
  if [ -z "$report" ]; then
    : >"$own/passed"
  else
    : >"$own/failed"
    printf 'FAILED: %s\n  %s\n%s\n' "$name" "$(head -n 1 "$script")" "$report"
  fi
  chmod -R u+w "$own/scratch"
  rm -rf "$own/scratch"
}

if [ "${1:-}" = --one ]; then
  run_test "$2"
  exit 0
fi

WORK=$(mktemp -d) || exit 1
export WORK
trap 'rm -rf "$WORK"' EXIT
trap 'exit 130' INT TERM
[ $# -gt 0 ] || set -- '*'
find "$root/tests/cli" "$root/tests/conformance" -mindepth 2 -name '*.sh' | LC_ALL=C sort | while IFS= read -r script; do
  name=${script#"$root/tests/"}
  name=${name#cli/}
  for pattern in "$@"; do
    # shellcheck disable=SC2254
    case ${name%.sh} in $pattern) printf '%s\0' "$script" && break ;; esac
  done
done | xargs -0 -r -n 1 -P "$(nproc)" sh "$0" --one

count() { find "$WORK" -mindepth 2 -maxdepth 2 -name "$1" | wc -l; }
[ "$(count skipped)" -eq 0 ] || echo "$(count skipped) skipped"
passed=$(count passed) failed=$(count failed)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
