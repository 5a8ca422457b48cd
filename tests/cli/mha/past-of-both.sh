# The past is keys and values: one without the other is refused.
tconv linspace=-1,1,192 --reshape 24,8 --dtype f32 -o maps.h5:/in_proj_weight
tconv linspace=-1,1,64 --reshape 8,8 --dtype f32 -A -o maps.h5:/out_proj.weight
for past in '--past-key 2x2x3x4xf32=1' '--past-value 2x2x3x4xf32=1' '--past-value missing.h5'; do
  code=0
  mha 2x3x8xf32=1 -w maps.h5 --heads 2 $past 2>&1 >/dev/null || code=$?
  echo $code
done
