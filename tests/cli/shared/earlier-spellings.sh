# Earlier spellings of options and values are accepted, mean the same, and are shown nowhere.
L=$FIXTURES/layers/layers.h5 model=$CONFORMANCE/models
data="4=1,2,3,5 -y 4=1,4,2,3 --bandwidth 1"
same() { # TOOL CURRENT EARLIER OPTION...: what follows is given to both
  tool=$1 current=$2 earlier=$3
  shift 3
  # shellcheck disable=SC2086
  "$tool" $current "$@" --no-history -f -o current.h5
  # shellcheck disable=SC2086
  "$tool" $earlier "$@" --no-history -f -o earlier.h5
  cmp current.h5 earlier.h5 || echo "$tool $earlier is not $current"
  "$tool" --help-all >help
  for word in $current; do case $word in --*) grep -q -e "$word" help || echo "$tool --help does not show $word" ;; esac; done
  for word in $earlier; do
    case " $current " in *" $word "*) continue ;; esac
    case $word in --*) ! grep -e " $word " help || echo "$tool --help shows $word" ;; esac
  done
}
# shellcheck disable=SC2086
{
  same nwreg '--sample-weights 4=1,2,1,2' '--weights 4=1,2,1,2' -x $data
  same nwreg '--key 4=1,2,3,5' '-k 4=1,2,3,5' -y 4=1,4,2,3 --bandwidth 1
  same nwreg '--key 4=1,2,3,5' '--keys 4=1,2,3,5' -y 4=1,4,2,3 --bandwidth 1
  same nwreg '--value 4=1,4,2,3' '-v 4=1,4,2,3' -x 4=1,2,3,5 --bandwidth 1
  same nwreg '--value 4=1,4,2,3' '--values=4=1,4,2,3' -x 4=1,2,3,5 --bandwidth 1
  same nwreg '--query 2=1,2' '--queries 2=1,2' -x $data
  same nwreg '--kernel cosine-kernel' '--kernel cosine' -x $data
}
tconv 4=1,2,3,5 -o x.h5
same nwreg '--slab key=0:3 --slab value=:3' '--slab keys=0:3 --slab values=:3' -x x.h5 -y x.h5 --bandwidth 1
same posenc --rotary-interleaved --interleaved --kind rotary 2x4=1,2,3,4,5,6,7,8
same posenc '--alibi-slopes 1=0.5' '--slopes 1=0.5' --kind alibi --length 3
same posenc '--t5-max-distance 5 --t5-causal' '--max-distance 5 --causal' --kind t5 -w $L:/buckets --length 6
same mha '--base 5' '--rotary-base 5' --rotary $L:/x -w $L:/self_attn --heads 4
ids='--ids 1x4xi64=5,6,7,8'
# shellcheck disable=SC2086
{
  same transformer-run '--attention-mask 1x4=1,1,1,0' '--mask 1x4=1,1,1,0' -m $model/bert $ids
  same transformer-run '--emit-layers 0 --emit-heads 1' '--layers 0 --emit-heads 1' -m $model/bert $ids --emit attentions
  same transformer-run --normalize-embeddings --normalize -m $model/bert $ids --emit pooled
}
nwreg --kernel cos -x 2=1,2 -y 2=1,2 2>&1 | grep -o 'tricube, [a-z-]*'
nwreg --kernel cosine -x 2=1,2 -y 2=1,2 --bandwidth 1 | tconv --list | grep @kernel
nwreg --slab z=0:1 -x 2=1,2 -y 2=1,2 2>&1 || echo $?
