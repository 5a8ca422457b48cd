# An operand without a dataset: the only one there is; of several, that of the stage before, y, else x; else an error that
# lists all of them with shapes, never a guess.
. "$SUPPORT/stages.sh"
stages="$(printf '%s\n' "$stages" | grep -v -e '^attend' -e '^nwreg' -e '^tconv' | sed 's/$/ --no-history/')
tplot INPUT --heatmap
tokenize -m $EXAMPLES/dates --decode --ids INPUT"
tconv x.h5 -o both.h5:/x
tconv x.h5 --slab ::-1 -A -o both.h5:/y
tconv x.h5 -o others.h5:/p
tconv x.h5 --slab 0:4 -A -o others.h5:/q
cp others.h5 with-x.h5
tconv x.h5 -A -o with-x.h5:/x
body() {
  case $tool in
    tokenize) main='' ;; # which takes ids first
    *) main=y ;;
  esac
  stage_on both.h5:/y >of_y
  stage_on both.h5:/x >of_x
  ! cmp -s of_y of_x || complain "x is as good as y"
  [ -z "$main" ] || stage_on both.h5 | same of_y || complain "does not take y of x and y"
  stage_on x.h5 | same of_x || complain "does not take the only one"
  case $tool in
    transformer-run | tokenize | embed) ;; # x is no name of ids
    *) stage_on with-x.h5 | same of_x || complain "does not take x where there is no y" ;;
  esac
  code=0
  stage_on others.h5 >out 2>errors || code=$?
  [ $code -eq 66 ] && [ ! -s out ] || complain "guesses: exit code $code"
  fix="name one, as in 'others.h5:/p'"
  [ "$(cat errors)" = "$tool: others.h5: has several datasets: p (6, 8) f64, q (4, 8) f64; $fix" ] || complain "says $(cat errors)"
}
same() { cat >piped && cmp -s piped "$1"; }
for_each_stage body
# Each option has names of its own: q, k and v of one file, x and y of another.
for name in q k v; do tconv x.h5 -A -o qkv.h5:/$name; done
attend qkv.h5 | tdiff - x.h5 >report && echo "attend does nothing"
attend qkv.h5 -o of_names.h5
attend -q x.h5 -k x.h5 -v x.h5 | tdiff - of_names.h5
# Standard input in several options is read once.
attend -q -:/q -k -:/k -v -:/v <qkv.h5 | tdiff - of_names.h5
attend -q - -k - -v - <qkv.h5 | tdiff - of_names.h5
softmax qkv.h5:/q --mask qkv.h5:/k -o masked.h5
softmax -:/q --mask -:/k <qkv.h5 | tdiff - masked.h5
