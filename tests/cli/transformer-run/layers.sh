# State dicts of PyTorch without a config.json: stacks are their layers one after the other, in any layout and format.
. "$SUPPORT/try.sh"
cp "$CONFORMANCE/layers/pytorch-layers.h5" torch.h5
e=torch.h5:/encoder-relu-post-norm d=torch.h5:/decoder-relu-post-norm
run() { transformer-run --heads 4 "$@"; }
same() { tdiff "$1" "$2" --ulp 0 && echo "$3"; }

# A layer under a prefix of a stack, or of a larger model: `add WEIGHTS PREFIX FILE`.
add() {
  for name in $(tconv --list torch.h5 | sed -n "s|^${1#torch.h5:/}/weights/\([^ ]*\) .*|\1|p"); do
    tconv "$1/weights/$name" -A -o "$3:/$2$name"
  done
}
add "$e" encoder.layers.0. whole.h5
add "$e" encoder.layers.1. whole.h5
add "$d" decoder.layers.0. whole.h5
for side in encoder decoder; do
  tconv "$e/weights/norm2.weight" -A -o whole.h5:/$side.norm.weight
  tconv "$e/weights/norm1.bias" -A -o whole.h5:/$side.norm.bias
done
tconv whole.h5 -o whole.npz 2>/dev/null
for name in $(tconv --list whole.h5 | sed -n 's|^encoder\.\([^ ]*\) .*|\1|p'); do
  tconv "whole.h5:/encoder.$name" -A -o encoder.h5:/"$name"
done
tconv encoder.h5 -o encoder.safetensors

run --encoder "$e/weights" "$e/in/x" -o one.h5
run --encoder "$e/weights" one.h5 | addnorm --no-residual -w whole.h5:/encoder.norm -o two.h5
run --encoder encoder.safetensors "$e/in/x" -o y.h5
same y.h5 two.h5 "an encoder of two layers and a norm"
run --encoder whole.npz:/encoder "$e/in/x" 2>notes | tdiff - two.h5 --ulp 0
run --decoder whole.h5:/decoder "$d/in/x" y.h5 --causal -o decoded.h5
run --encoder whole.h5 "$e/in/x" "$d/in/x" --causal --emit encoder -o both.h5
same both.h5:/y decoded.h5 "nn.Transformer is an encoder and a decoder"
same both.h5:/encoder y.h5 "and shows the first"

tconv "$e/in/x" --axes 1,0,2 -o length-first.npy
run --encoder encoder.safetensors --layout length-batch length-first.npy | tconv --axes 1,0,2 -o back.h5
same back.h5 y.h5 "(L, B, d)"
tconv "$e/in/x[0]" | run --encoder encoder.safetensors | tdiff - 'y.h5[0]' --ulp 0
run --encoder "$e/weights" "$e/in/x" --emit hidden_states --emit attentions --emit-heads 0 |
  tconv --list | grep -v history
run --decoder "$d/weights" "$d/in/x" "$d/in/memory" --emit cross_attentions | tconv --list | grep -v history
tconv "$e/in/x" --slab 0:1,0:3 -o short.h5
run --encoder "$e/weights" short.h5 --causal -o causal.h5
run --encoder "$e/weights" short.h5 --src-mask 3x3xbool=1,0,0,1,1,0,1,1,1 | tdiff - causal.h5 --ulp 0
run --encoder "$e/weights" short.h5 --mask-invert --src-mask 3x3xbool=0,1,1,0,0,1,0,0,0 | tdiff - causal.h5 --ulp 0
run --encoder "$e/weights" short.h5 --src-mask 3x3=0,-inf,-inf,0,0,-inf,0,0,0 | tdiff - causal.h5 --ulp 0
run --encoder "$e/weights" short.h5 --mask-type boolean --src-mask 3x3=1,0,0,1,1,0,1,1,1 | tdiff - causal.h5 --ulp 0
run --encoder "$e/weights" short.h5 --causal --epsilon 0.1 | tdiff - causal.h5 >differs || echo "epsilon"
# A mask of keys is a mask of all queries.
decode() { run --decoder "$d/weights" "$d/in/x" "$d/in/memory" --mask-invert "$@"; }
tconv "$d/in/memory_key_padding_mask" --reshape 2,1,8 -o of-memory.h5
decode --memory-key-padding-mask "$d/in/memory_key_padding_mask" -o padded.h5
decode --memory-mask of-memory.h5 | tdiff - padded.h5 --ulp 0
decode --tgt-key-padding-mask 2x6xbool=0,0,0,0,1,1,0,0,0,0,0,0 -o padded.h5 -f
decode --tgt-mask 2x1x6xbool=0,0,0,0,1,1,0,0,0,0,0,0 | tdiff - padded.h5 --ulp 0
run --encoder whole.h5 --list | head -n 3

# With a model, --heads chooses heads.
transformer-run -m "$EXAMPLES/dates" --emit cross_attentions --emit-heads 1 "3 mars" |
  tconv --select 'cross_attentions/0' -o maps.h5
transformer-run -m "$EXAMPLES/dates" --emit cross_attentions --heads 1 "3 mars" | tdiff -:/cross_attentions/0 maps.h5 --ulp 0

try run --encoder whole.h5 "$e/in/x" -o none.h5
try transformer-run --encoder encoder.safetensors "$e/in/x" -o none.h5
try transformer-run --encoder encoder.safetensors --heads 3 "$e/in/x" -o none.h5
try run --encoder encoder.safetensors "$e/in/x" --emit encoder_attentions -o none.h5
try run --encoder one.h5 "$e/in/x" -o none.h5
try run --encoder encoder.safetensors 2x3x4=0 -o none.h5
try run --encoder encoder.safetensors "$e/in/x" --tgt-mask 2x2=1 -o none.h5
try run --encoder "$d/weights" "$d/in/x" "$d/in/memory" --src-mask 2x2=1 -o none.h5
try run --encoder encoder.safetensors -m model "$e/in/x" -o none.h5
ln -s "$EXAMPLES/dates" dates
try run -m dates --causal "3 mars 2021"
try run --encoder encoder.safetensors --ids 1x1xi64=1 -o none.h5
try run --encoder encoder.safetensors "$e/in/x" --heads 2 -o none.h5
try transformer-run --encoder encoder.safetensors --heads 0 "$e/in/x" -o none.h5
try run --encoder encoder.safetensors "$e/in/x" --mask 1x3=1 -o none.h5
