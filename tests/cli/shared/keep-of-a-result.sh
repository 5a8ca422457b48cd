# What --keep finds under the name of a result cannot be kept beside it, and is not dropped in silence.
tconv 2=1,2 -o x.h5:/x
tconv 2=3,4 -A -o x.h5:/y
refused() {
  code=0
  "$@" 2>&1 || code=$?
  [ $code -eq 2 ] || echo "$*: exit code $code"
}
refused softmax x.h5:/x --keep y -o out.h5
refused softmax x.h5:/x --keep '*'
refused linear x.h5:/x -w 1x2=1,1 --keep x -o out.h5:/x
[ ! -e out.h5 ] || echo "something was written"
softmax x.h5:/x --keep y -o out.h5:/other
tdiff out.h5:/y 2=3,4
tconv --list out.h5 | grep -c '^other '
