# A tensor of the module that a stage computes is read, or stops the run with its name: with the config.json of a known
# model, of an unknown one, and without any. What belongs to other stages may lie beside.
. "$SUPPORT/try.sh"
models=$CONFORMANCE/models
tconv linspace=-1,1,64 --dtype f32 | tconv --reshape 1,4,16 -o x.h5
qwen3=$models/families/qwen3/model.safetensors
a=model.layers.0.self_attn
mkdir plain known unknown
add() { tconv "$2" -A -o "$1:/$3"; }

# Without config.json.
tconv "$qwen3" -o plain/qwen3.h5
try mha x.h5 -w plain/qwen3.h5:/$a --heads 8 --kv-heads 4 -f -o y.h5
tconv "$qwen3" --select "$a.[kqvo]_proj.*" -o plain/w.h5
try mha x.h5 -w plain/w.h5:/$a --heads 8 --kv-heads 4 -f -o y.h5
add plain/w.h5 8xf32=1 $a.sinks
try mha x.h5 -w plain/w.h5:/$a --heads 8 --kv-heads 4 -f -o y.h5
try mha x.h5 -w plain/w.h5:/$a --heads 8 --kv-heads 4 --sinks plain/w.h5:/$a.sinks -f -o y.h5
add plain/w.h5 2x16xf32=1 $a.k_proj.lora_A.default.weight
try mha x.h5 -w plain/w.h5:/$a --heads 8 --kv-heads 4 --sinks plain/w.h5:/$a.sinks -f -o y.h5
try linear x.h5 -w plain/w.h5:/$a.k_proj -f -o y.h5
try linear x.h5 -w plain/w.h5:/$a.k_proj.weight -f -o y.h5
try linear x.h5 -w plain/w.h5:/$a.q_proj -f -o y.h5
tconv "$qwen3" --select "model.layers.0.mlp.*" -o plain/mlp.h5
try ffn x.h5 -w plain/mlp.h5:/model.layers.0.mlp --activation silu -f -o y.h5
add plain/mlp.h5 24xf32=1 model.layers.0.mlp.up_proj.weight_scale
try ffn x.h5 -w plain/mlp.h5:/model.layers.0.mlp --activation silu -f -o y.h5
add plain/norm.h5 16xf32=1 norm.weight
add plain/norm.h5 16xf32=1 norm.running_mean
try addnorm --no-residual x.h5 -w plain/norm.h5:/norm -f -o y.h5
add plain/table.h5 4x16xf32=1 table.weight
add plain/table.h5 4xf32=1 table.weight_scale
try embed 2xi64=1,2 -w plain/table.h5:/table -f -o y.h5
try posenc --kind learned --length 3 -w plain/table.h5:/table -f -o y.h5

# Of other stages: norms, networks, buffers.
bert=bert.encoder.layer.0
tconv "$models/bert-masked-lm/model.safetensors" -o plain/bert.h5
tconv x.h5 --reshape 1,2,32 -o wide.h5
try mha wide.h5 -w plain/bert.h5:/$bert.attention --heads 4 -f -o y.h5
try ffn wide.h5 -w plain/bert.h5:/$bert --activation gelu -f -o y.h5
tconv "$models/gpt2/model.safetensors" --select transformer.h.0.attn.* -o plain/gpt2.h5
add plain/gpt2.h5 1x1x4x4xf32=1 transformer.h.0.attn.bias
add plain/gpt2.h5 -1e4 transformer.h.0.attn.masked_bias
try mha wide.h5 -w plain/gpt2.h5:/transformer.h.0.attn --heads 4 -f -o y.h5

# Of a known model.
cp "$models/families/qwen3/config.json" known
cp plain/w.h5 plain/norm.h5 known
try mha x.h5 -w known/w.h5:/$a -f -o y.h5
tconv "$qwen3" --select "$a.*" -o known/layer.h5
try mha x.h5 -w known/layer.h5:/$a -f -o y.h5
add known/layer.h5 32xf32=1 $a.q_proj.bias
try mha x.h5 -w known/layer.h5:/$a -f -o y.h5
try linear x.h5 -w known/layer.h5:/$a.q_proj -f -o y.h5
try addnorm --no-residual x.h5 -w known/norm.h5:/norm -f -o y.h5
mkdir bert
cp "$models/bert-masked-lm/config.json" bert
for part in 'self.[kv]*' self.query.weight 'output.*'; do
  tconv plain/bert.h5 --select "$bert.attention.$part" --quiet -A -o bert/w.h5
done
try mha wide.h5 -w bert/w.h5:/$bert.attention -f -o y.h5
tconv plain/bert.h5 --select "$bert.attention.output.LayerNorm.weight" -o bert/norm.h5
try addnorm --no-residual wide.h5 -w bert/norm.h5:/$bert.attention.output.LayerNorm -f -o y.h5

# Of an unknown one: a note.
sed 's/"model_type": "qwen3"/"model_type": "cohere"/; s/Qwen3/Cohere/' known/config.json >unknown/config.json
cp plain/norm.h5 unknown
tconv 16xf32=1 -o unknown/norm.h5:/plain.weight -A
try addnorm --no-residual x.h5 -w unknown/norm.h5:/plain -f -o y.h5
cp plain/mlp.h5 unknown
try ffn x.h5 -w unknown/mlp.h5:/model.layers.0.mlp -f -o y.h5
