#!/bin/sh
# Runs the command-line and conformance tests: tests/cli/run.sh [PATTERN], e.g. 'attend/*' or '*causal*'.
#
# A test is a script NAME.sh under tests/cli or tests/conformance. It runs with sh -eu in an empty directory, with the
# tools first in PATH. Beside it stands what it must do:
#   NAME.stdout, NAME.stderr            the exact output
#   NAME.stdout.glob, NAME.stderr.glob  the output line by line as shell patterns
#   NAME.exit                           the exit code
# Without a file, the stream must be empty and the exit code 0. Exit code 77 skips: what the test needs is not here.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
pattern=${1:-*}
export BUILD="${BUILD:-$root/build}" FIXTURES="$root/tests/fixtures" EXAMPLES="$root/examples" SUPPORT="$root/tests/support"
export PATH="$BUILD/bin:$PATH" LC_ALL=C.UTF-8 TERM=dumb
unset SOURCE_DATE_EPOCH NO_COLOR
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

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
    matches_globs "$work/$2" "$1.$2.glob" && return 0
    echo "  $2 does not match $1.$2.glob:"
    sed 's/^/    /' "$work/$2" | head -n 20
    return 1
  fi
  expected=$1.$2
  [ -e "$expected" ] || expected=/dev/null
  cmp -s "$expected" "$work/$2" && return 0
  echo "  $2 differs (< expected, > actual):"
  diff "$expected" "$work/$2" | sed 's/^/    /' | head -n 20
  return 1
}

passed=0 failed=0 skipped=0
find "$root/tests/cli" "$root/tests/conformance" -mindepth 2 -name '*.sh' 2>/dev/null | LC_ALL=C sort >"$work/tests"
while IFS= read -r script <&9; do
  test=${script%.sh}
  name=${test#"$root/tests/"}
  name=${name#cli/}
  case $name in $pattern) ;; *) continue ;; esac
  scratch=$work/scratch
  rm -rf "$scratch"
  mkdir "$scratch"
  (cd "$scratch" && TESTDIR=$(dirname "$script") exec sh -eu "$script") </dev/null >"$work/stdout" 2>"$work/stderr" 9<&-
  code=$?
  if [ $code -eq 77 ]; then
    echo "skipped: $name: $(head -n 1 "$work/stderr")"
    skipped=$((skipped + 1))
    continue
  fi
  expected_code=0
  [ ! -e "$test.exit" ] || expected_code=$(cat "$test.exit")
  report=$(
    [ "$code" -eq "$expected_code" ] || echo "  exit code $code, expected $expected_code"
    check_stream "$test" stdout
    check_stream "$test" stderr
  )
  if [ -z "$report" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED: %s\n  %s\n%s\n' "$name" "$(head -n 1 "$script")" "$report"
  fi
done 9<"$work/tests"

[ $skipped -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
