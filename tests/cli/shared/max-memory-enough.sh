# What --dry-run says of memory is enough for --max-memory, and one byte less is not, weights and conversions and all.
tconv linspace=-1,1,200000 --reshape 400,500 --dtype f32 -o x.h5:/x
tconv linspace=1,-1,250000 --reshape 500,500 --dtype f32 -o w.h5:/weight
tconv linspace=-1,1,250000 --reshape 500,500 --dtype f32 -o ffn.h5:/linear1/weight
tconv linspace=1,-1,250000 --reshape 500,500 --dtype f32 -A -o ffn.h5:/linear2/weight
tconv linspace=-1,1,750000 --reshape 1500,500 --dtype f32 -o mha.h5:/in_proj_weight
tconv linspace=1,-1,250000 --reshape 500,500 --dtype f32 -A -o mha.h5:/out_proj/weight
tconv linspace=0,1,1500 --dtype f32 -A -o mha.h5:/in_proj_bias
tconv linspace=0,1,500 --dtype f32 -A -o mha.h5:/out_proj/bias
check() {
  needed=$("$@" -n | sed -n 's/^memory  \([0-9]*\) bytes$/\1/p')
  "$@" --max-memory "$needed" >y.h5 || echo "$*: $needed bytes are not enough"
  code=0
  "$@" --max-memory $((needed - 1)) >/dev/null 2>errors || code=$?
  [ $code -eq 71 ] || echo "$*: less than $needed bytes are enough"
  # Nothing is forgotten: inputs, weights and the result at the least.
  [ "$needed" -ge "$least" ] || echo "$*: $needed bytes are less than $least"
}
for dtype in f32 f64 f16; do
  least=2600000
  check linear x.h5 -w w.h5 --dtype $dtype
  check embed --logits x.h5 -w w.h5 --dtype $dtype
  least=3600000
  check ffn x.h5 -w ffn.h5 --dtype $dtype
  least=5600000
  check mha x.h5 -w mha.h5 --heads 5 --dtype $dtype
  least=1200000
  check posenc x.h5 --dtype $dtype
  check softmax x.h5 --dtype $dtype
  check softmax x.h5 --axis 0 --dtype $dtype
  check addnorm x.h5 --no-residual --dtype $dtype
  check addnorm x.h5 --residual x.h5 --dtype $dtype
  check attend -q x.h5 -k x.h5 -v x.h5 --dtype $dtype
  least=800000
  check tconv x.h5 --dtype $dtype
  check tconv x.h5 --transpose --reshape 100,-1 --dtype $dtype
  check tconv x.h5 --concat 1 x.h5:/x w.h5[:400] --rename x=y --dtype $dtype
  check tconv x.h5 --stack 0 x.h5:/x --dtype $dtype
done
