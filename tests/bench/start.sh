#!/bin/sh
# From start to exit: every tool's --version and a small job, and a pipe of ten stages; limits 5 ms and 60 ms.
# Needs hyperfine: tests/bench/start.sh [FOLDER OF THE TOOLS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$(cd "${1:-$root/build/bin}" && pwd)
test -x "$bin/tconv" || { echo "start.sh: $bin: has no tconv; give the folder of the tools" >&2; exit 2; }
export PATH="$bin:$PATH" EXAMPLES="$root/examples"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$root/tests/support/stages.sh"

# NAME LIMIT COMMAND: median and minimum in milliseconds beside the limit, and the processor time, which a busy machine
# does not change.
measure() {
  hyperfine -N --warmup 5 --runs 200 --export-csv times.csv "$3" >hyperfine.log 2>&1
  awk -F, -v name="$1" -v limit="$2" 'NR == 2 {
    printf "%-29s median %6.2f  min %6.2f  processor %6.2f  limit %s ms\n", name, $4 * 1000, $7 * 1000, ($5 + $6) * 1000, limit
  }' times.csv
}

# Each tool has a job of 48 elements or a line of text. Without gnuplot, which takes three times as long by itself:
# tplot draws a heat map of characters, and a curve for a program that only reads what it is told.
jobs() {
  printf '%s\n' "$stages" | sed '/^transformer-run /d; s|INPUT|x.h5|'
  echo "tdiff x.h5 x.h5"
  echo "tokenize -m $EXAMPLES/dates lines.txt"
  echo "tokenize -m $EXAMPLES/dates lines.txt -O h5"
  echo "tplot x.h5 -o -"
  # The model of the stages has 660000 weights, which is work; this one has 38000.
  echo "transformer-run -m $root/tests/conformance/models/gpt2 --ids ids.h5 --max-new-tokens 1"
}
echo '3 March 2021' >lines.txt
tconv 1x4xi64=5,6,7,8 -o ids.h5
jobs >jobs.txt
for page in "$root"/man/*.1; do
  tool=$(basename "$page" .1)
  measure "$tool --version" 5 "$tool --version"
  grep "^$tool " jobs.txt >own.txt || { echo "start.sh: $tool: has no job here" >&2; exit 1; }
  while IFS= read -r job <&7; do measure "$tool, a small job" 5 "$job" 7<&-; done 7<own.txt
done
mkdir helper
printf '#!/bin/sh\ncat >/dev/null; echo picture\n' >helper/gnuplot
chmod +x helper/gnuplot
measure "tplot, but for gnuplot" 5 "env PATH=$work/helper:$PATH tplot y.h5 --curves -o -"
cat >ten.sh <<'PIPE'
posenc x.h5 | softmax | linear -w weights.h5:/linear | addnorm --no-residual | ffn -w weights.h5:/ffn |
  softmax | posenc | linear -w weights.h5:/linear | addnorm --no-residual | tconv -O csv >/dev/null
PIPE
measure "ten stages in a pipe" 60 "sh ten.sh"
