# An option that has no effect this time is accepted in silence, and the result is the same without it: scripts keep one
# set of flags for all runs of a loop. Options for models of other tasks are not among them.
tconv 3x2=1,2,3,4,5,7 -o x.h5:/x
tconv x.h5 -O csv -o x.csv
tconv linspace=0,1,9 -o d.h5:/x
tconv linspace=0,3,9 -A -o d.h5:/y
tconv 2xi64=0,1 -A -o d.h5:/ids
L=$FIXTURES/layers/layers.h5 dates=$EXAMPLES/dates names=$EXAMPLES/names.csv
bert=$CONFORMANCE/models/bert
mha --stage project $L:/x -w $L:/self_attn --heads 4 -o qkv.h5
mha --stage attend qkv.h5 -o heads.h5
printf '3 March 2021\n' >lines.txt
# COMMAND | OPTIONS
cat >cases <<END
softmax x.h5 | -f --engine reference --precision 3 --missing omit --header --delim ; --rtol 1 --atol 1
softmax x.h5 | --mask-type boolean --mask-invert --slab mask=0:1
softmax x.csv -O csv | --no-history --rtol 1 --engine reference
softmax x.csv -O npy | --timestamp --precision 3
tconv x.h5 -O csv | --engine reference --missing omit -f --parts 2
tconv --list x.h5 | --transpose --slab 0:1 --precision 3 --dtype f32 --stats --no-history --fail-on-nonfinite -f
tdiff x.h5 x.csv | --engine reference -f --header
embed d.h5:/ids -w x.h5 | --engine reference
linear 2=1,1 -w x.h5 | --slab bias=0:1 --precision 3
addnorm x.h5 --no-norm -r x.h5 | --kind rms --eps 3 --axis 0
posenc x.h5 | --heads 2 --keys 2 --dim 2 --t5-causal --t5-max-distance 9 --rotary-interleaved --scaling 2 --rotary-width 2
posenc --kind learned -w x.h5 --length 2 | --base 3 --columns halves --engine reference --missing nan
posenc --kind rotary 1x1x2x4=1,2,3,4,5,6,7,8 --cos 2x1=1,1 --sin 2x1=0,0 | --base 3 --scaling 2
attend x.h5 | --bandwidth 2 --nearest --layout heads-first --mask-type boolean --mask-invert
attend x.h5 --causal-bottom-right | --causal
attend x.h5 --score dot | --bandwidth 1,0.5,3
attend x.h5 --explain 0 | --engine reference --stats --dtype f16 --timestamp --header
attend --normalize hard -q str=Smith -k $names:/last -v $names:/first | --score cosine --softcap 3 --heads 5 --empty nan
mha $L:/x -w $L:/self_attn --heads 4 | --rotary-width 2 --rotary-interleaved --t5-causal --t5-max-distance 4 --average
mha --stage project $L:/x -w $L:/self_attn --heads 4 | --zero-attention --causal --t5-max-distance 5
mha --stage merge heads.h5 -w $L:/self_attn | --rotary --causal
nwreg -x d.h5 -y d.h5 --kernel constant | --bandwidth 1 --loss squared --isotropic --scale-convention sd --tol 1e-3
nwreg -x d.h5 -y d.h5 --bandwidth 1 | --level .9 --isotropic --loss squared --sparse --plot-size 80x20
nwreg -x d.h5 -y d.h5 --bandwidth 1 --method direct | --tol 1e-3
nwreg -x d.h5 -y d.h5 --bandwidth 1 --engine reference | --method tree --tol 1e-3
tokenize -m $dates lines.txt | --truncation-side left --padding-side left --keep-special --header --engine reference
tokenize -m $dates lines.txt | --precision 3 --dtype i32 --stats --no-history --missing nan
tokenize -m $dates --list | --decode --tokens --max-length 3 --on-error skip
tokenize -m $dates --decode --ids 1x2xi64=12,4 | --no-special --on-error skip --delim ;
transformer-run -m $dates 3/3/2021 | --precision 3 --header --stats --timestamp --trace-filter q
transformer-run -m $dates --ids 1x3xi64=5,6,7 | --fail-on-nonfinite --batch 2 --on-error skip
transformer-run -m $dates --ids 1x2xi64=3,4 --decoder-ids 1x2xi64=1,4 | --sample --beams 2 --max-new-tokens 3 --ignore-end
transformer-run -m $bert --ids 1x2xi64=3,4 | --batch 2 --max-length 3
transformer-run -m $dates --list | --engine reference --batch 3 --beams 2 --precision 3
tplot 3=1,2,4 -o - | --bins 2 -f --header --engine reference --missing nan
END
while IFS='|' read -r command options; do
  case $command in
    *-O*csv* | *-O*npy* | tdiff* | tplot* | *--list* | *tokenize* | *--explain* | *hard* | *2021*) ;;
    *) command="$command --no-history" ;;
  esac
  # shellcheck disable=SC2086
  $command >plain 2>notes || echo "$command: exit code $?, $(cat notes)"
  # shellcheck disable=SC2086
  $command $options >out 2>errors || echo "$command $options: exit code $?"
  sed '/range -1/d' errors | grep -v ': min ' | diff notes - || echo "$command $options: other notes"
  cmp plain out || echo "$command $options: another result"
done <cases
# -f where nothing exists; a picture's too.
softmax x.h5 -f -o new.h5
if command -v gnuplot >/dev/null; then tplot 3=1,2,4 -f -o new.svg; fi
# A value is checked, whatever comes of it; options that contradict each other are refused.
while read -r command; do
  code=0
  $command >out 2>errors || code=$?
  [ $code -eq 2 ] && [ ! -s out ] || echo "exit code $code: $command: $(cat out errors)"
done <<END
tplot 3=1,2,4 --bins many
softmax x.h5 --rtol -1
softmax x.h5 --no-history --timestamp
attend x.h5 --bandwidth -1
nwreg -x d.h5 -y d.h5 --bandwidth 1 --level 2
nwreg -x d.h5 -y d.h5 --bandwidth 1 --decay 2
embed --logits x.h5 -w x.h5 --scale 2
posenc x.h5 --offset 1 --positions 3xi64=0,1,2
addnorm x.h5 --no-norm -r x.h5 --norm-first
attend --normalize hard -q str=Smith -k $names:/last -v $names:/first --causal
mha --stage merge heads.h5 -w $L:/self_attn --emit heads
tokenize -m $dates lines.txt --pair --json-lines
transformer-run -m $dates 3/3/2021 --num-return 2
END
