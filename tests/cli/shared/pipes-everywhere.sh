# What cannot seek works wherever a file does: each file that any option of a tool names, as a named pipe.
. "$SUPPORT/stages.sh"
printf '3 March 2021\n' >lines.txt
stages="$(printf '%s\n' "$stages" | sed 's/$/ --no-history/')
softmax INPUT --mask x.h5 --no-history
posenc INPUT --kind learned -w weights.h5:/table --no-history
addnorm INPUT --residual x.h5 --check x.h5 --atol 100 --no-history
embed INPUT -w weights.h5:/table --keep y --no-history
transformer-run -m $EXAMPLES/dates --ids INPUT --decoder-ids x.h5 --no-history
attend -q INPUT -k x.h5 -v x.h5 --explain 0
tconv --list --values INPUT y.h5
tdiff INPUT weights.h5:/table/weight --json
tplot INPUT --heatmap --row-labels y.h5
tokenize -m $EXAMPLES/dates lines.txt
tokenize -m $EXAMPLES/dates --decode --ids INPUT"
body() {
  command=$(printf '%s' "$stage" | sed 's|INPUT|x.h5|')
  $command >expected 2>errors || true
  rm -f pipe.*
  through= pipes=0
  for word in $command; do
    case $word in
      *.h5* | *.txt)
        file=${word%%:*} pipes=$((pipes + 1))
        mkfifo "pipe.$pipes"
        timeout 60 sh -c "cat $file >pipe.$pipes" &
        through="$through pipe.$pipes${word#"$file"}" ;;
      *) through="$through $word" ;;
    esac
  done
  code=0
  timeout 60 $through >out 2>through.errors || code=$?
  wait
  # Only the names are others.
  for shown in out through.errors; do sed -i 's/pipe\.[0-9]/FILE/g' $shown; done
  for shown in expected errors; do sed -i 's/[a-z]*\.h5/FILE/g' $shown; done
  cmp out expected || complain "$stage: other results through pipes, exit code $code"
  cmp through.errors errors || complain "$stage: $(cat through.errors)"
}
for_each_stage body
