# Values of config.json that the family does not compute, or that contradict one another, are refused by their names.
models=$TESTDIR/../../conformance/models
while read -r model fields; do
  rm -rf m && cp -R "$models/$model" m && chmod -R u+w m
  sed "s/^  ${fields%%:*}:/  \"_name_or_path\":/; \$ s/}\$/, $fields}/" "$models/$model/config.json" >m/config.json
  transformer-run -m m --list 2>&1 >list && echo "$model: accepted $fields" || echo "$?"
done <<'END'
families/albert "num_hidden_groups": 5
bart "architectures": ["BartForRegression"]
bart "tie_encoder_decoder": true
marian "share_encoder_decoder_embeddings": false
bert "architectures": ["BertForRegression"]
bert "num_attention_heads": 5
bert "hidden_act": "sine"
bert "add_cross_attention": true
bert "pruned_heads": {"0": [1]}
bert "quantization_config": {"bits": 4}
roberta-masked-lm "pad_token_id": null
roberta-masked-lm "max_position_embeddings": 2
bert-classify "id2label": {"0": "a", "2": "b"}
gpt2 "add_cross_attention": true
gpt2 "n_head": 3
llama "architectures": ["LlamaForRegression"]
llama "num_key_value_heads": 3
llama "num_key_value_heads": 0
llama "head_dim": 7
llama "is_causal": false
families/qwen3 "layer_types": ["full_attention"]
llama "layer_types": ["full_attention", "sliding_attention"]
families/gemma3-text "use_bidirectional_attention": true
families/modernbert "architectures": ["ModernBertForRegression"]
families/mpnet "architectures": ["MPNetForRegression"]
t5 "architectures": ["T5ForRegression"]
t5 "feed_forward_proj": "gated-sine"
t5 "relative_attention_num_buckets": 3
t5 "relative_attention_max_distance": 2
timesformer-space-only "attention_type": "time_only"
timesformer-space-only "architectures": ["TimesformerForRegression"]
vit-classify "architectures": ["ViTForRegression"]
vit-classify "image_size": [1, 2, 3]
vit-classify "image_size": 1
clip "architectures": ["CLIPForRegression"]
xlnet "attn_type": "one"
xlnet "bi_data": true
xlnet "architectures": ["XLNetForRegression"]
END
