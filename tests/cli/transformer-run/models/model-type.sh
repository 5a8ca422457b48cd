# A config.json without model_type is that of its architectures; without both, or with a name that begins like another
# one, the error lists what there is. Windows that settings contradict are refused by name.
models=$CONFORMANCE/models
changed() { # MODEL SED
  rm -rf m && mkdir m && cp "$models/$1/model.safetensors" m && sed "$2" "$models/$1/config.json" >m/config.json
}
for model in bert-classify roberta-masked-lm heads/xlm-roberta-tokens heads/mt5 gpt2; do
  for edit in '' '/"model_type"/d'; do
    changed $model "$edit" && transformer-run -m m --ids 1x4xi64=7,9,5,3 -o "y${edit:+2}.h5" -f
  done
  tdiff y.h5 y2.h5 --rtol 0 --atol 0 && echo $model
done
refused() { transformer-run -m m --ids 1x4xi64=7,9,5,3 -o y.h5 -f 2>&1 || echo $?; }
changed bert-classify '/"model_type"/d; s/BertFor/BertGenerationFor/' && refused
changed heads/qwen2-causal 's/"full_attention"/"sliding_attention"/' && refused
changed t5 's/"relative_attention_max_distance": [0-9]*/"relative_attention_max_distance": 4/' && refused
