# Layers of Llama are turned as config.json says, whole heads whatever partial_rotary_factor is. The whole, three
# stages, and a past give the bits of transformer-run. Options override what they name, and nothing else.
llama=$CONFORMANCE/models/llama
cp -r "$llama" model
chmod -R u+w model
w=model/model.safetensors:/model.layers.1.self_attn
# configured FIELDS: the model with these instead of rope_parameters
configured() {
  sed "s/\"model_type\": \"llama\"/\"model_type\": \"${type:-llama}\"/; /\"rope_parameters\"/,/}/c\\$1" "$llama/config.json" >model/config.json
}
run() {
  transformer-run -m model --decoder-ids 1x12xi64=7,8,9,10,11,12,7,8,9,10,11,12 --trace t.h5 -f -o y.h5
}
layer() { mha t.h5:/decoder/1/norm1 -w $w --causal --quiet -f "$@"; }
same() { tdiff "$1" t.h5:/decoder/1/self_attn/"$2" || echo "$2 differs: $fields"; }
cat >fields <<'END'
"rope_scaling": null
"rope_theta": 50, "rope_scaling": {"type": "linear", "factor": 3.0},
"rope_parameters": {"rope_type": "default", "rope_theta": 70, "partial_rotary_factor": 0.5},
"partial_rotary_factor": 0.25, "rope_theta": 50,
"rope_parameters": {"rope_type": "linear", "factor": 2, "rope_theta": 50},
"rope_parameters": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 16},
"rope_parameters": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 16, "rope_theta": 100},
"max_position_embeddings": 5, "rope_parameters": {"rope_type": "dynamic", "factor": 2},
"original_max_position_embeddings": 5, "rope_scaling": {"rope_type": "longrope", "short_factor": [1, 1, 1, 1], "long_factor": [2, 3, 4, 5]},
END
last=
while read -r fields; do
  configured "${fields%,},"
  case $fields in *'"max_position'*) sed -i '/"max_position_embeddings": 64/d' model/config.json ;; esac
  run
  layer --emit q,k -o m.h5
  same m.h5:/y output
  same m.h5:/q q
  same m.h5:/k k
  mha --stage project t.h5:/decoder/1/norm1 -w $w | mha --stage attend --causal | mha --stage merge -w $w -f -o m.h5
  same m.h5:/y output
  case $fields in *dynamic* | *longrope*) ;; *)
    mha t.h5:/decoder/1/norm1[:,:7] -w $w --causal --emit keys,values -f -o past.h5
    mha t.h5:/decoder/1/norm1[:,7:] -w $w --causal --past-key past.h5 --past-value past.h5 -f -o m.h5
    tdiff m.h5:/y t.h5:/decoder/1/self_attn/output[:,7:] || echo "behind a past differs: $fields"
    ;;
  esac
  [ -z "$last" ] || ! tdiff t.h5:/decoder/1/self_attn/q "$last" >/dev/null || echo "changes nothing: $fields"
  last=last.h5:/decoder/1/self_attn/q
  mv t.h5 last.h5
done <fields
mv last.h5 t.h5
# Keys of another text: whose length counts?
mha --stage project t.h5:/decoder/1/norm1[:,:7] --memory t.h5:/decoder/1/norm1 -w $w -f -o m.h5 2>&1 || echo "exit $?"
layer --rotary-width 4 -o m.h5 2>&1 || echo "exit $?"

# What an option says is as if the config had it; all else stays as the config has it.
overridden() {
  configured "$1"
  layer --emit q,k -o a.h5 $2
  configured "$3"
  layer --emit q,k -o b.h5
  tdiff a.h5 b.h5 || echo "differs: $2"
}
linear='"rope_parameters": {"rope_type": "linear", "factor": 2, "rope_theta"'
overridden "$linear: 50}," --rotary "$linear: 50},"
overridden "$linear: 50}," "--base 500" "$linear: 500},"
overridden "$linear: 50}," "--rotary --base 500" "$linear: 500},"
# A model of another type may turn a part of each head.
type=other
part='"rope_parameters": {"rope_type": "linear", "factor": 2, "partial_rotary_factor"'
overridden "$part: 0.5}," "--rotary-width 2" "$part: 0.25},"
overridden "$part: 0.5}," "--rotary-width 0" "$part: 1},"
type=llama
configured "$part: 0.5},"
layer -o m.h5 2>&1 || echo "exit $?"
configured "$linear: 50},"
layer --rotary-interleaved -o a.h5
if tdiff a.h5 b.h5 >/dev/null; then echo "--rotary-interleaved is ignored"; fi
# A kind that nobody knows is refused, as by transformer-run.
configured '"rope_scaling": {"rope_type": "new", "factor": 2},'
layer -o m.h5 2>&1 || echo "exit $?"
transformer-run -m model --decoder-ids 1x2xi64=7,8 -f -o y.h5 2>&1 || echo "exit $?"
