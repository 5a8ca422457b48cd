# An existing output is refused with 73 and stays; -f replaces it.
. "$SUPPORT/stages.sh"
body() {
  echo precious >out.h5
  code=0
  stage_on x.h5 -o out.h5 2>errors || code=$?
  [ $code -eq 73 ] || complain "exit code $code over an existing output"
  [ "$(cat errors)" = "$tool: out.h5: exists; give -f to overwrite it" ] || complain "says $(cat errors)"
  [ "$(cat out.h5)" = precious ] || complain "spoiled the existing output"
  stage_on x.h5 -o out.h5 -f
  stage_on x.h5 | tdiff - out.h5
  [ "$(ls -A | grep -c out.h5)" = 1 ] || complain "left something behind"
}
for_each_stage body
