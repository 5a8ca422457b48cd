# A trace holds the sums that norms take and that go on, norm last (BERT) and norm first (GPT-2), and what embeddings,
# gated networks (T5) and heads are made of; a sum is what its parts add up to, and replaying begins anywhere as before.
models=$CONFORMANCE/models
trace() { # NAME OPTION...
  name=$1
  shift
  transformer-run -m "$models/$name" "$@" --trace $name.h5 -o $name-y.h5
}
names() { tconv --list $1.h5 | sed 's/ .*//' | grep -E "$2" | LC_ALL=C sort | tr '\n' ' ' && echo; }
sums() { addnorm --no-norm "$1" --residual "$2" -f -o sum.h5 && tdiff sum.h5 "$3" --rtol 0 --atol 0; }
trace bert-masked-lm --ids 1x3xi64=5,6,7
names bert-masked-lm '^encoder/0/(residual|norm|output)|^encoder/[a-z_]*$|^head|^logits'
t=bert-masked-lm.h5:/encoder
sums $t/0/self_attn/output $t/input $t/0/residual1
sums $t/0/feed_forward/output $t/0/norm1 $t/0/residual2
transformer-run -m "$models/bert-masked-lm" --replay bert-masked-lm.h5 --from encoder/0 -o again.h5
tdiff again.h5 bert-masked-lm-y.h5 --rtol 0 --atol 0
transformer-run -m "$models/bert-masked-lm" --ids 1x3xi64=5,6,7 -o untraced.h5
tdiff untraced.h5 bert-masked-lm-y.h5 --rtol 0 --atol 0
trace gpt2 --decoder-ids 1x3xi64=5,6,7
names gpt2 '^decoder/1/(residual|norm|output)|^decoder/[a-z_]*$'
t=gpt2.h5:/decoder
sums $t/1/self_attn/output $t/0/output $t/1/residual1
sums $t/1/feed_forward/output $t/1/residual1 $t/1/residual2
tdiff $t/1/residual2 $t/1/output --rtol 0 --atol 0
trace t5-gated --ids 1x3xi64=5,6,7 --decoder-ids 1x2xi64=0,9
names t5-gated '^decoder/0/(residual|norm|feed_forward/)'
