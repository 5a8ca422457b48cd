# A reader that leaves early ends every tool quietly, by the signal, with nothing said.
. "$SUPPORT/stages.sh"
body() {
  # A pipe whose reader is gone before the tool starts.
  { sleep 0.05; code=0; stage_on x.h5 2>errors || code=$?; echo $code >code; } | true
  [ "$(cat code)" = 141 ] || complain "exit code $(cat code) when the reader is gone"
  [ ! -s errors ] || complain "says $(cat errors)"
}
for_each_stage body
