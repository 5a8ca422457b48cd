# Of every family: a tensor that is missing, one too many, one of another shape, a file cut short, a layer too many: one
# line each and no result, before anything is computed.
refused() {
  if transformer-run -m m --list >out 2>err; then echo "$model, $1: accepted"; return; fi
  [ "$(wc -l <err)" = 1 ] && [ ! -s out ] || echo "$model, $1: not one line"
  sed "s|m/model.safetensors|FILE|g;s|^transformer-run: |$model, $1: |;s|; do config.*||" err
}
for model in bert-classify roberta-masked-lm gpt2 llama bart t5-gated vit-classify timesformer-joint-space-time; do
  source=$CONFORMANCE/models/$model
  rm -rf m && mkdir m && cp "$source/config.json" m
  name=$(tconv --list "$source/model.safetensors" | awk '/[.]0[.].*weight/ { print $1 }' | sed -n 2p)
  tconv "$source/model.safetensors" --rename "$name=nothing" -O safetensors >m/model.safetensors && refused missing
  tconv "$source/model.safetensors" -f -o all.h5 && tconv 2x3xf32=1 -A -o "all.h5:/$name.more"
  tconv all.h5 -O safetensors >m/model.safetensors && refused extra
  tconv 3x5xf32=1 -f -A -o "all.h5:/$name" && tconv all.h5 -O safetensors >m/model.safetensors && refused shape
  head -c 50000 "$source/model.safetensors" >m/model.safetensors && refused cut
  cp "$source/model.safetensors" m
  sed -E 's/"(num_hidden_layers|n_layer|encoder_layers|num_layers)": 2/"\1": 3/' "$source/config.json" >m/config.json
  refused layers
done
