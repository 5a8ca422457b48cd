# T5's relative bias is the bias that posenc writes.
L=$FIXTURES/layers/layers.h5
for options in '' --t5-causal '--t5-max-distance 5'; do
  mha $L:/x -w $L:/self_attn --heads 4 --t5-bias $L:/buckets $options -f -o a.h5
  posenc --kind t5 -w $L:/buckets --length 6 $options | tconv --reshape 1,4,6,6 -f -o bias.h5
  mha $L:/x -w $L:/self_attn --heads 4 --bias bias.h5 -f -o b.h5
  tdiff a.h5 b.h5
  [ ! -e last.h5 ] || ! tdiff a.h5 last.h5 >/dev/null || echo "ignored: $options"
  mv a.h5 last.h5
done
mha $L:/x -w $L:/self_attn --heads 4 --t5-bias $L:/buckets --bias $L:/bias -o both.h5
if tdiff both.h5 b.h5 >/dev/null; then echo "--bias is ignored beside --t5-bias"; fi
# How far the buckets reach, config.json says: the one beside the table where the stage has no weights.
mkdir model
cp $L model/layers.h5
echo '{"num_heads": 4, "relative_attention_max_distance": 5}' >model/config.json
mha $L:/x -w $L:/self_attn --heads 4 --t5-bias $L:/buckets --t5-max-distance 5 -f -o said.h5
mha $L:/x -w model/layers.h5:/self_attn --t5-bias model/layers.h5:/buckets -f -o whole.h5
tdiff whole.h5 said.h5
mha --stage project $L:/x -w model/layers.h5:/self_attn | mha --stage attend --t5-bias model/layers.h5:/buckets |
  mha --stage merge -w model/layers.h5:/self_attn -f -o stages.h5
tdiff stages.h5 said.h5
