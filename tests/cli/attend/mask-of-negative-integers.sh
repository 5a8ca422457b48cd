# Integers of which some are negative are added to the scores, like floats, whatever part of the mask a run reads.
# Unsigned integers and integers that are not negative exclude where they are 0.
posenc --length 12 --dim 8 --base 20 -o x.h5
tconv x.h5 --reshape 2,6,8 -o b.h5
low=-100
tconv 6x6xf64=0,0,0,0,0,0,0,0,0,0,0,0,0,$low,0,$low,0,0,0,0,0,0,$low,$low,$low,0,0,0,0,0,0,0,0,3,0,0 -o floats.h5
tconv 2x6xf64=0,0,0,0,0,0,0,0,0,$low,$low,$low -o padding.h5
L=$FIXTURES/layers/layers.h5
differs() { tdiff "$@" --ulp 0 --quiet || echo "differs: $type $mask"; }
for type in i8 i16 i32 i64; do
  for mask in floats padding; do
    tconv $mask.h5 --dtype $type -f -o integers.h5
    for engine in auto reference; do
      attend b.h5 --mask $mask.h5 --engine $engine --emit weights -f -o a.h5
      attend b.h5 --mask integers.h5 --engine $engine --emit weights -f -o i.h5
      differs a.h5 i.h5
      softmax b.h5:/y[:,:,:6] --mask $mask.h5 --engine $engine -f -o a.h5
      softmax b.h5:/y[:,:,:6] --mask integers.h5 --engine $engine -f -o i.h5
      differs a.h5 i.h5
      mha b.h5 -w $L:/self_attn --heads 2 --mask $mask.h5 --engine $engine -f -o a.h5
      mha b.h5 -w $L:/self_attn --heads 2 --mask integers.h5 --engine $engine -f -o i.h5
      differs a.h5:/y i.h5:/y
    done
    attend b.h5 --mask $mask.h5 --max-memory 100k -f -o a.h5
    attend b.h5 --mask integers.h5 --max-memory 100k -f -o i.h5
    differs a.h5 i.h5
    attend b.h5 --mask $mask.h5 --vjp b.h5 -f -o a.h5
    attend b.h5 --mask integers.h5 --vjp b.h5 -f -o i.h5
    for gradient in dq dk dv; do differs a.h5:/$gradient i.h5:/$gradient; done
    # The first rows alone look boolean.
    attend b.h5 --mask $mask.h5 -f -o a.h5
    for i in 1 2 3; do attend b.h5 --mask integers.h5 --shard $i/3 -f -o part-$i.h5; done
    tmerge part-?.h5 -f -o i.h5
    differs a.h5 i.h5
    for part in a:$mask i:integers; do
      attend -q 'x.h5[:1]' -k 'x.h5[:6]' -v 'x.h5[:6]' --mask "${part#*:}.h5[:1]" -f -o ${part%%:*}.h5
    done
    differs a.h5 i.h5
    softmax 'b.h5:/y[0,:1,:6]' --mask "$mask.h5[:1]" -f -o a.h5
    softmax 'b.h5:/y[0,:1,:6]' --mask 'integers.h5[:1]' -f -o i.h5
    differs a.h5 i.h5
    attend b.h5 --mask $mask.h5 -f -o a.h5
    attend b.h5 --mask integers.h5 --shard 1/1 --emit state -f -o part-1.h5
    tmerge part-1.h5 -f -o i.h5
    differs a.h5 i.h5
  done
  mha b.h5 -w $L:/self_attn --heads 2 --padding-mask padding.h5 -f -o a.h5
  mha b.h5 -w $L:/self_attn --heads 2 --padding-mask integers.h5 -f -o i.h5
  differs a.h5:/y i.h5:/y
  tconv 2x6x$type=1,2,1,1,0,0,1,0,1,3,0,1 -f -o positive.h5
  attend b.h5 --mask positive.h5 -f -o a.h5
  attend b.h5 --mask 2x6xbool=1,1,1,1,0,0,1,0,1,1,0,1 -f -o i.h5
  differs a.h5 i.h5
  attend b.h5 --mask positive.h5 --mask-invert -f -o a.h5
  attend b.h5 --mask 2x6xbool=0,0,0,0,1,1,0,1,0,0,1,0 -f -o i.h5
  differs a.h5 i.h5
done
attend b.h5 --mask integers.h5 --mask-type boolean -f -o a.h5
attend b.h5 --mask 2x6xbool=0,0,0,0,0,0,0,0,0,1,1,1 -f -o i.h5
differs a.h5 i.h5
attend b.h5 --mask integers.h5 --mask-invert -f -o a.h5 || echo $?
# 0 and -1 may mean either.
tconv 2x6xi8=-1,-1,-1,0,0,0,-1,-1,-1,-1,-1,-1 -o true.h5
attend b.h5 --mask true.h5 -f -o a.h5 || echo $?
attend b.h5 --mask true.h5 --mask-type boolean -f -o a.h5
attend b.h5 --mask 2x6xbool=1,1,1,0,0,0,1,1,1,1,1,1 -f -o i.h5
differs a.h5 i.h5
mha b.h5 -w $L:/self_attn --heads 2 --padding-mask true.h5 -f -o a.h5 || echo $?
softmax b.h5:/y[:,:,:6] --mask true.h5 -f -o a.h5 || echo $?
# A model does not add its attention mask.
transformer-run -m "$CONFORMANCE/models/bert" --ids 2x6xi64=5,6,7,8,9,3,5,6,7,8,9,3 \
  --attention-mask integers.h5 -f -o a.h5 || echo $?
