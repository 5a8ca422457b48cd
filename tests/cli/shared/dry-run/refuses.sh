# --dry-run refuses what the run would refuse, with the same line and exit code, and leaves nothing behind.
tconv linspace=-1,1,12 --reshape 3,4 --dtype f32 -o x.h5:/x
tconv linspace=-1,1,10 --reshape 2,5 --dtype f32 -o w.h5:/weight
tconv linspace=-1,1,20 --reshape 5,4 --dtype f32 -o fits.h5:/weight
tconv linspace=-1,1,3 --dtype f32 -o fits.h5:/short -A
tconv linspace=-1,1,24 --reshape 1,2,3,4 -o heads.h5:/q
tconv linspace=-1,1,40 --reshape 1,2,5,4 -A -o heads.h5:/k
tconv linspace=-1,1,40 --reshape 1,2,5,4 -A -o heads.h5:/v
tconv linspace=-1,1,48 --reshape 12,4 --dtype f32 -o maps.h5:/in_proj_weight
tconv linspace=-1,1,16 --reshape 4,4 --dtype f32 -A -o maps.h5:/out_proj.weight
tconv linspace=-1,1,15 --reshape 3,5 --dtype f32 -o wide.h5:/x
tconv linspace=0,1,9 -o data.h5:/x
tconv linspace=0,3,9 -A -o data.h5:/y
tconv linspace=0,1,18 --reshape 9,2 -o plane.h5:/x
tconv linspace=0,3,9 -A -o plane.h5:/y
tconv str=a,b,c -o words.h5:/x
softmax x.h5 -o out.h5
tconv linspace=1,1,200 --dtype i64 --reshape 1,200 -o long.h5:/ids
ln -s "$EXAMPLES/dates" dates
touch there.h5 there.txt there.png
mkdir folder
cat >commands <<'END'
linear x.h5 -w w.h5
linear x.h5 -w fits.h5 -b fits.h5:/short
ffn wide.h5 -w dates/model.safetensors:/transformer.encoder.layers.0
embed --logits wide.h5 -w dates/model.safetensors:/embedding
addnorm x.h5 -r wide.h5:/x
addnorm x.h5 --no-residual -w fits.h5:/short
addnorm x.h5 --no-residual --axis 2
softmax x.h5 --axis 2
softmax x.h5 --mask 2x2xu8=1,0,1,0
softmax x.h5 --temperature 0
attend heads.h5 --mask 2x2xu8=1,0,1,0
attend heads.h5 --bias 7xf32=1,2,3,4,5,6,7
attend heads.h5 --valid-lens 5xi64=1,2,3,1,2
attend heads.h5 --valid-lens 1xi64=9
attend heads.h5 --score bilinear
attend heads.h5 --score bilinear --m 2x2xf64=1,2,3,4
attend heads.h5 --score additive --wq 1x4xf64=1,2,3,4 --wk 1x4xf64=1,2,3,4 --wv 2xf64=1,2
attend heads.h5 --window -5,2
attend heads.h5 --sinks 3xf64=1,2,3
attend heads.h5 --alibi-slopes 3xf64=1,2,3
attend heads.h5 --score gaussian --bandwidth 1,2
attend heads.h5 --normalize sum --emit lse
attend heads.h5 --past-key heads.h5:/q --past-value wide.h5
attend heads.h5 --past-key heads.h5:/k --past-value heads.h5:/q
attend -q heads.h5:/q -k heads.h5:/k -v heads.h5:/q
posenc x.h5 --kind learned -w w.h5
posenc x.h5 --kind learned -w fits.h5 --offset 3
posenc x.h5 --positions 2xi64=0,1
posenc wide.h5 --kind rotary
posenc --kind rotary --length 4 --dim 5
posenc --kind learned --length 40 -w fits.h5
posenc --kind t5 --length 4 -w fits.h5:/short
nwreg -x data.h5:/x -y data.h5:/y -q wide.h5
nwreg -x data.h5:/x -y data.h5:/y --bandwidth -1
nwreg -x data.h5:/x -y data.h5:/y --bandwidth knn:99
nwreg -x data.h5:/x -y data.h5:/y --bandwidth 1,2
nwreg -x plane.h5:/x -y plane.h5:/y -q data.h5:/x --bandwidth 1
nwreg -x data.h5:/x -y wide.h5 --bandwidth 1
mha wide.h5 -w maps.h5 --heads 2
mha x.h5 -w maps.h5 --heads 2 --mask 2x2xu8=1,0,1,0
mha x.h5 -w maps.h5 --heads 2 --padding-mask 2xu8=1,0
mha x.h5 -w maps.h5 --heads 2 --memory wide.h5:/x
mha --stage merge heads.h5:/q -w maps.h5 --heads 4
mha --stage attend -q heads.h5:/q -k heads.h5:/k -v heads.h5:/q --heads 2
transformer-run -m dates --ids 1x3xi64=1,5,2 --attention-mask 1x2xi64=1,1 -O h5
transformer-run -m dates --ids 1x3xi64=1,5,2 --decoder-ids 2x2xi64=1,5,1,5 -O h5
transformer-run -m dates --ids 1x3xi64=1,5,2 --decoder-ids 2xi64=1,5 -O h5
linear x.h5 -w fits.h5 -o there.h5
linear x.h5 -w fits.h5 -o nowhere/y.h5
linear x.h5 -w fits.h5 -o folder
linear x.h5 -w fits.h5 -A -o x.h5:/x
linear x.h5 -w fits.h5 -A -o y.csv
linear x.h5 -w fits.h5 -o y.npy:/y
linear x.h5 -w fits.h5 --keep other -o y.h5
attend heads.h5 --emit weights -o y.npy
attend heads.h5 --emit weights -A -o heads.h5:/q
attend heads.h5 --emit weights -o y.csv
attend heads.h5 --emit weights -O npy
mha --stage project x.h5 -w maps.h5 --heads 2 -O npy
mha x.h5 -w maps.h5 --heads 2 --rotary --rotary-width 3
mha x.h5 -w maps.h5 --heads 2 --rotary --positions 4xi64=1,2,3,4
posenc 1x2x3x4xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23 --kind rotary --positions 4xi64=1,2,3,4
posenc --length 3 --dim 4 --keep-input
softmax out.h5 --keep y
addnorm x.h5 -r x.h5:/x --norm-first --keep-input
tconv words.h5 --rename x=. -O h5
nwreg -x data.h5:/x -y data.h5:/y --degree 3
nwreg -x data.h5:/x -y data.h5:/y --decay 1
nwreg -x data.h5:/x -y data.h5:/y --method window
transformer-run -m dates --ids long.h5 -O h5
transformer-run -m dates --ids 1x4xi64=1 --type-ids 1x4xi64=0 -O h5
tconv words.h5 -o y.safetensors
tconv words.h5 -o y.npy
tconv there.h5
tconv x.h5 w.h5:/weight -o y.npy
tokenize -m dates str=a -o there.h5
attend --explain 0,0,0 heads.h5 -o there.txt
tconv x.h5 --split 0 --keep *
tconv x.h5 --keep *
tconv x.h5 --keep-input
tconv x.h5 --transpose --keep-input
tconv x.h5 w.h5:/weight --transpose --keep-input
tplot x.h5 -o x.csv
tplot x.h5 -o y.h5:/
tplot x.h5 -o nowhere/x.png
tplot x.h5 -o /dev/null
tplot x.h5 -o there.png
tplot x.h5 -o folder
tplot x.h5 -o x.png --size 1x1
nwreg -x data.h5:/x -y data.h5:/y --bandwidth 1 --plot there.png -O csv
nwreg -x data.h5:/x -y data.h5:/y --bandwidth 1 --plot-weights x.gif -O csv
nwreg --plot-kernel there.png
END
touch run.err plan.err before after
bad=0
set -f # patterns are for the tools
while read -r command; do
  code=0 planned=0
  $command >/dev/null 2>run.err </dev/null || code=$?
  ls -A >before
  $command -n >/dev/null 2>plan.err </dev/null || planned=$?
  ls -A >after
  if [ "$code" -eq 0 ] || [ "$code" -ne "$planned" ] || ! cmp -s run.err plan.err || ! cmp -s before after; then
    bad=1
    echo "$command: $code $(cat run.err), with -n $planned $(cat plan.err)"
  fi
done <commands
exit $bad
