# From every stage a trace replays to the bits of its run, whatever the head looks at and whatever the run was given.
models=$CONFORMANCE/models
replays() {
  model=$1
  shift
  transformer-run -m "$models/$model" "$@" --trace run.h5 -f -o whole.h5
  for stage in encoder/embedding encoder/0 encoder/1 encoder/norm logits; do
    transformer-run -m "$models/$model" --replay run.h5 --from $stage -f -o again.h5 && tdiff again.h5 whole.h5 ||
      echo "$model $* from $stage"
  done
}
two="--ids 2x6xi64=17,23,2,9,3,11,17,23,20,9,0,0 --attention-mask 2x6xi64=1,1,1,1,1,1,1,1,1,1,0,0"
for model in heads/bert-next-sentence heads/xlnet-mean heads/xlnet-bare roberta-classify; do replays $model $two; done
replays bert-masked-lm $two --type-ids 2x6xi64=0,0,1,1,1,1,0,1,1,1,1,1
five="--ids 1x5xi64=17,23,42,9,30"
replays xlnet $two
replays xlnet $five --type-ids 1x5xi64=0,0,1,1,2
replays xlnet $five --perm-mask 1x5x5xi64=0,1,1,1,1,0,0,1,1,1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,0
transformer-run -m "$models/xlnet" $five --emit mems -o mems.h5
replays xlnet $five --mems mems.h5
# What --to computes is the same.
transformer-run -m "$models/bert-classify" $two -f -o whole.h5
transformer-run -m "$models/bert-classify" $two --to logits -f -o part.h5 && tdiff whole.h5 part.h5
# Where the head pools, the vectors themselves are the result; the head comes by its name.
transformer-run -m "$models/bert" $two --trace run.h5 -f -o whole.h5
for stage in encoder/embedding encoder/1 encoder/norm; do
  transformer-run -m "$models/bert" --replay run.h5 --from $stage -f -o again.h5 && tdiff again.h5 whole.h5
done
transformer-run -m "$models/bert" --replay run.h5 --from logits -f -o again.h5 && tdiff again.h5:/y run.h5:/pooler_output
# A decoder alone: ids for it are where a run of some stages starts.
four="--decoder-ids 2x4xi64=17,23,2,9,3,11,17,23 --attention-mask 2x4xi64=0,1,1,1,1,1,1,1"
transformer-run -m "$models/gpt2" $four --trace run.h5 -f -o whole.h5
transformer-run -m "$models/gpt2" $four --to logits -f -o part.h5 && tdiff part.h5 whole.h5
transformer-run -m "$models/gpt2" $four --to decoder/0 -f -o part.h5 && tdiff part.h5:/y run.h5:/decoder/0/output
for stage in decoder/embedding decoder/1 decoder/norm logits; do
  transformer-run -m "$models/gpt2" --replay run.h5 --from $stage -f -o again.h5 && tdiff again.h5 whole.h5
done
# The targets' own stream begins with the embedding.
transformer-run -m "$models/xlnet" $five --target-mapping 1x1x5xi64=0,0,1,0,0 --trace run.h5 -f -o whole.h5
transformer-run -m "$models/xlnet" --replay run.h5 --from encoder/embedding -f -o again.h5 && tdiff again.h5 whole.h5
transformer-run -m "$models/xlnet" --replay run.h5 --from encoder/1 -f -o again.h5
