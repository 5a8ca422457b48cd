# --dry-run lists each tensor that the run writes, with its shape and dtype.
tconv linspace=-1,1,24 --reshape 1,2,3,4 --dtype f32 -o heads.h5:/q
tconv linspace=-1,1,40 --reshape 1,2,5,4 --dtype f32 -A -o heads.h5:/k
tconv linspace=-1,1,40 --reshape 1,2,5,4 --dtype f32 -A -o heads.h5:/v
tconv linspace=-1,1,12 --reshape 3,4 --dtype f32 -o x.h5:/x
tconv linspace=-1,1,24 --reshape 2,3,4 --dtype f32 -o batch.h5:/x
tconv linspace=-1,1,48 --reshape 12,4 --dtype f32 -o maps.h5:/in_proj_weight
tconv linspace=-1,1,16 --reshape 4,4 --dtype f32 -A -o maps.h5:/out_proj.weight
tconv linspace=-1,1,48 --reshape 12,4 --dtype f32 -o narrow.h5:/in_proj_weight
tconv linspace=-1,1,12 --reshape 3,4 --dtype f32 -A -o narrow.h5:/out_proj.weight
tconv linspace=-1,1,10 --reshape 1,2,5,1 --dtype f32 -A -o narrow.h5:/v
tconv linspace=-1,1,20 --reshape 5,4 --dtype f32 -o w.h5:/weight
tconv linspace=-1,1,32 --reshape 8,4 --dtype f32 -o ffn.h5:/linear1.weight
tconv linspace=-1,1,32 --reshape 4,8 --dtype f32 -A -o ffn.h5:/linear2.weight
tconv linspace=0,1,9 -o data.h5:/x
tconv linspace=0,3,9 -A -o data.h5:/y
tconv linspace=0,1,18 --reshape 9,2 -o plane.h5:/x
tconv linspace=0,3,18 --reshape 9,2 -A -o plane.h5:/y
tconv str=a,b,a,b,c,a,b,c,c -A -o data.h5:/label
ln -s "$EXAMPLES/dates" dates
cat >commands <<'END'
attend heads.h5 --emit weights,scores,scores-softcap,scores-masked,lse,topk=2,keys,values
attend heads.h5 --emit lse,weights --dtype f64
attend heads.h5 --past-key heads.h5:/k --past-value heads.h5:/v --emit keys,values
attend -q batch.h5 -k batch.h5 -v batch.h5 --heads 2 --emit lse,weights,topk=2
attend -q x.h5 -k x.h5 -v x.h5 --emit lse,weights,topk=1
attend heads.h5 --keep k --keep-input
mha x.h5 -w maps.h5 --heads 2 --emit weights,q,k,v,heads,keys,values
mha batch.h5 -w maps.h5 --heads 2 --emit weights,q,k,v,heads,keys,values
mha batch.h5 -w maps.h5 --heads 2 --emit weights --average
mha batch.h5 -w maps.h5 --heads 2 --stage project --dtype f16
mha x.h5 -w maps.h5 --heads 2 --stage project
mha heads.h5 --stage attend --heads 2 --emit keys,heads
mha -q heads.h5:/q[0] -k heads.h5:/k[0] -v heads.h5:/v[0] --stage attend --emit q,k,keys,heads,weights
mha heads.h5:/k[:,:1] --stage merge -w maps.h5
mha heads.h5:/k[0,:1] --stage merge -w maps.h5
mha x.h5 -w narrow.h5 --heads 2
mha -q heads.h5:/q -k heads.h5:/k -v narrow.h5:/v --stage attend
linear x.h5 -w w.h5 --keep-input
ffn x.h5 -w ffn.h5 --emit hidden --keep-input
addnorm batch.h5 -r batch.h5:/x --norm-first --emit mean
addnorm batch.h5 --no-residual --axis 1 --emit mean,inverse-deviation
softmax batch.h5 --dtype f16
embed 2x3xi64=1,2,3,4,0,1 -w w.h5
embed --logits x.h5 -w w.h5
posenc batch.h5 --kind rotary --heads 2
posenc --kind alibi --heads 3 --length 4
posenc --kind t5 --length 4 -w w.h5
posenc --kind xlnet --length 4 --dim 6
posenc --kind rotary --length 4 --dim 6 --positions 2x3xi64=1,2,3,4,5,6
posenc --kind learned --length 4 -w w.h5
nwreg -x data.h5:/x -y data.h5:/y --bandwidth 0.3 --emit se,band,neff,weights,derivative
nwreg -x plane.h5:/x -y plane.h5:/y --bandwidth 0.3 --emit se,band,neff,derivative --with-query
nwreg -x plane.h5:/x -y plane.h5:/y -q plane.h5:/x[:4] --bandwidth 0.3 --degree 1 --emit degree
nwreg -x data.h5:/x -y data.h5:/y --bandwidth 0.3 --derivative
nwreg -x data.h5:/x -y data.h5:/label --classify --bandwidth 0.3 --emit probabilities,band
nwreg -x data.h5:/x -y data.h5:/y -q 0.5 --bandwidth 0.3
nwreg -x data.h5:/x -y data.h5:/y --bandwidth 0.3 --loo --emit neff
nwreg -x 3xf16=1,2,3 -y 3xf16=1,2,4 --bandwidth 1
embed 2xi64=1,2 -w 5x3xf16=1.5
embed 2xi64=1,2 -w 5x3xbf16=1.5 --scale 2 --dtype f64
tconv heads.h5
tconv heads.h5:/q --split 1
tokenize -m dates lines.txt -O h5 --offsets
transformer-run -m dates --ids 2x4xi64=1,5,6,2,1,7,8,2 --decoder-ids 2x3xi64=1,5,6,1,5,6 --emit encoder,logits,encoder_hidden_states
END
printf '3 March 2021\n4 May 1999\n' >lines.txt
while read -r command; do
  $command -n | sed -n 's|^write  \(.*\)  [0-9]* bytes$|\1|p' | tr -s ' ' | sort >planned
  $command --quiet -f -o out.h5
  tconv --list out.h5 | sed '/^ /d; /^@/d' | tr -s ' ' | sort >written
  cmp planned written || { echo "$command"; diff planned written || true; }
done <commands
