# --keep carries other datasets through, --keep-input the stage's input as x.
. "$SUPPORT/stages.sh"
tconv x.h5 -o more.h5
tconv 3=7,8,9 -A -o more.h5:/side/one
tconv 1=5 -A -o more.h5:/other
body() {
  [ $tool != tconv ] || return 0  # whose input is all datasets
  stage_on more.h5:/x --keep 'side/*' -f -o out.h5
  tdiff out.h5:/side/one 3=7,8,9 || complain "--keep lost side/one"
  case $(tconv --list out.h5) in *other*) complain "--keep took more than its pattern" ;; esac
  cat more.h5 | stage_on -:/x --keep 'oth*' | tdiff -:/other 1=5 || complain "--keep from a pipe"
  stage_on more.h5:/x --keep-input -f -o out.h5
  tdiff out.h5:/x x.h5 || complain "--keep-input does not write x"
  tdiff out.h5:/y out.h5:/x >report && complain "--keep-input: y is x"
  code=0
  stage_on x.h5 --keep nothing 2>errors || code=$?
  [ $code -eq 66 ] || complain "--keep of nothing: exit code $code"
}
for_each_stage body
