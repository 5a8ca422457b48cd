# --stats prints range and mean of the result on standard error.
. "$SUPPORT/stages.sh"
body() {
  stage_on x.h5 --stats >out.h5 2>errors
  case $(cat errors) in "$tool: "?" ("*") "*": min "*", max "*", mean "*", sd "*) ;; *) complain "--stats says $(cat errors)" ;; esac
  stage_on x.h5 >out.h5 2>errors
  [ ! -s errors ] || complain "says $(cat errors) without --stats"
}
for_each_stage body
