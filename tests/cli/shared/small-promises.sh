# What is promised of every tool in a few words.
. "$SUPPORT/stages.sh"
printf '3 March 2021\n' >lines.txt
mkdir a.h5:
body() {
  stage_on x.h5 --no-history >expected
  # A whole string that is a file is one.
  cp x.h5 a.h5:/x
  stage_on a.h5:/x --no-history | cmp - expected || complain "a.h5:/x that is a file is read otherwise"
  # Inputs are opened to be read, and no lock keeps them from that.
  { flock -x 9; chmod a-w x.h5; stage_on x.h5 --no-history | cmp - expected || complain "a locked file is not read"; } 9<x.h5
  chmod u+w x.h5
  # There is no temporary file.
  TMPDIR=$PWD/none stage_on - --no-history <x.h5 | cmp - expected || complain "wants a folder for temporary files"
  # As many threads as the process may use.
  # shellcheck disable=SC2046
  taskset -c "$processor" $(printf '%s' "$stage" | sed 's|INPUT|x.h5|') --verbose 2>&1 >out | grep -q "^$tool: 1 threads" || complain "takes more threads than processors it may use"
  # A flag takes no value, of several values the last one counts, -f -f is -f.
  for flag in quiet overwrite dry-run progress no-history; do
    code=0
    stage_on x.h5 "--$flag=1" >out 2>errors || code=$?
    [ $code -eq 2 ] && [ "$(cat errors)" = "$tool: --$flag: takes no value; see $tool --help" ] || complain "--$flag=1: $(cat errors)"
  done
  rm -f one.h5 two.h5
  stage_on x.h5 -o one.h5 -o two.h5 && [ ! -e one.h5 ] && [ -e two.h5 ] || complain "-o one.h5 -o two.h5"
  stage_on x.h5 -f -f -o two.h5 || complain "-f -f is not -f"
}
command -v taskset >/dev/null || { echo "taskset (util-linux) is not installed" >&2; exit 77; }
processor=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
for_each_stage body
# A terminal that cannot go back draws no bar.
command -v script >/dev/null || { echo "script (bsdutils) is not installed" >&2; exit 77; }
draw() { TERM=$1 script -qec "{ sleep 1.5; cat x.h5; } | softmax >out" "$1" >"$1.shown" </dev/null; }
draw xterm &
draw dumb
wait
grep -aq '\[[# ]*\]' xterm || echo "no bar on a terminal"
! grep -aq '\[[# ]*\]' dumb || echo "a bar where TERM is dumb"
