#!/bin/sh
# Every fuzz target on its corpus and on what damage makes of it, from a fixed seed: no crash, no hang. Needs the build.
#
#     tests/fuzz/run.sh [RANDOM_INPUTS_PER_FILE]
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=${BUILD:-$here/../../build}/bin
passed=0 failed=0
for corpus in "$here"/corpus/*; do
  name=$(basename "$corpus")
  target=$bin/fuzz-$(echo "$name" | tr _ -)
  # AddressSanitizer reserves addresses for all memory there could be.
  if (grep -q __asan_init "$target" || ulimit -v 4000000; "$target" "$corpus" "${1:-300}") >"$corpus.log" 2>&1; then
    echo "$name: $(cat "$corpus.log")"
    passed=$((passed + 1))
  else
    echo "FAILED: $name: $(tail -n 3 "$corpus.log")"
    failed=$((failed + 1))
  fi
  rm -f "$corpus.log"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
