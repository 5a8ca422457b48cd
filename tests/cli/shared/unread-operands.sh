# An operand that nothing reads is a mistake, which the error says by the option.
cp "$FIXTURES/layers/layers.h5" .
L=layers.h5 dates=$EXAMPLES/dates
x=3x2=1,2,3,4,5,6
while read -r command; do
  code=0
  # shellcheck disable=SC2086
  $command -n >out 2>dry || code=$?
  [ $code -eq 2 ] || echo "$command -n: exit code $code, $(cat out)"
  code=0
  # shellcheck disable=SC2086
  $command >out 2>errors </dev/null || code=$?
  [ $code -eq 2 ] && [ ! -s out ] || echo "$command: exit code $code"
  cmp dry errors || :
  sed 's/: \(the other options\|this model\|these weights\|--stage\).*//' errors
done <<END
embed 1xi64=0 -w 2x2=1,2,3,4 -b 2=1,2
addnorm $x --no-norm -r $x -w 2=1,1
addnorm $x --no-residual -b 2=1,1
posenc $x -w 2x2=1,2,3,4
posenc $x --alibi-slopes 1=1
posenc $x --cos 2x1=1,1
posenc --length 2 --dim 2 --positions 2xi64=0,1
posenc $x --length 2 --dim 2
posenc --kind rotary 2x1x2x4=1 --cos 2x2x1=1 --sin 2x2x1=0 --positions 2xi64=0,1
attend $x --m 2x2=1,0,0,1
attend $x --score bilinear --m 2x2=1,0,0,1 --wq 2x2=1,0,0,1
attend $x --score gaussian --wv 2=1,1
attend -q $x -k $x -v $x $x
attend --normalize hard -q str=b -k str=a,b -v str=c,d --mask 1x2xi64=1,0
mha $L:/x -q $L:/x -w $L:/self_attn --heads 4
mha $L:/x --memory $L:/x -k $L:/x -v $L:/x -w $L:/self_attn --heads 4
mha $L:/x --positions $L:/positions -w $L:/self_attn --heads 4
mha $L:/x --segments $L:/segments -w $L:/self_attn --heads 4
mha $L:/x --stage project -w $L:/self_attn --heads 4 --bias $L:/bias
mha $L:/x --stage project -w $L:/self_attn --heads 4 --t5-bias $L:/buckets
mha $L:/x --stage project -w $L:/self_attn --heads 4 --past-key $L:/x --past-value $L:/x
nwreg --plot-kernel k.svg -q 2=1,2
tokenize -m $dates --list lines.txt
tokenize -m $dates --decode --ids 1x2xi64=12,4 lines.txt
transformer-run -m $dates --list --ids 1x2xi64=3,4
tplot 3=1,2,3 --fit 3=1,2,3
tplot --scatter 3=1,2,3 --fit-x 3=1,2,3
tplot $x -x 3=1,2,3
tplot --curves $x --row-labels str=a,b
tplot --histogram $x --column-labels str=a,b
END
