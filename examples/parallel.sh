#!/bin/sh
# Every recording of a folder at once, with GNU parallel: IN/NAME.h5, with the datasets time and value, becomes
# OUT/NAME.h5. A bad recording does not stop the others; the errors of the tool name it. examples/parallel.sh IN OUT
# Exit code 1 if a recording failed; 69 if GNU parallel is not installed.
set -eu
in=${1?give IN and OUT} out=${2?give OUT too}
parallel --version 2>&1 | grep -q '^GNU parallel' || {
  echo "parallel.sh: GNU parallel is not installed; the Debian package is parallel" >&2
  exit 69
}
mkdir -p "$out"

# One thread for each tool, and one tool for each processor. -q keeps blanks in names.
if parallel -q -j "$(nproc)" --joblog "$out/jobs" nwreg -x {}:/time -y {}:/value -q linspace=5,50,10 --bandwidth 2 -t 1 -f \
  -o "$out/{/}" ::: "$in"/*.h5; then exit 0; fi

# Columns 7 and 9 of the log are the exit code and the command: 65 or 66 is about the data, see attnutils(7).
awk -F '\t' 'NR > 1 && $7 != 0 { print "failed with " $7 ": " $9 }' "$out/jobs" >&2
echo "after a repair: parallel --retry-failed --joblog '$out/jobs'" >&2
exit 1
