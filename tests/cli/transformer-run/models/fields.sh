# Fields of config.json that change nothing are accepted, in every family; those that would, or may, are refused by name.
models=$CONFORMANCE/models
with() { # MODEL FIELDS: the model with more fields
  rm -rf m && mkdir m && cp "$models/$1/model.safetensors" m && sed "1s/{/{$2/" "$models/$1/config.json" >m/config.json
}
for model in bert-classify roberta-classify gpt2 llama bart t5 xlnet; do
  case $model in bart | t5) decoder=yes ;; *) decoder= ;; esac
  for fields in '' '"sep_token_id": 3, "cls_token_id": 2, "mask_token": "[MASK]", "hidden_dropout": 0.1, "qa_dropout": 0.1,
"position_embedding_type": "absolute", "layer_types": ["full_attention"], "n_special": 0, "predict_special_tokens": true,
"tie_weights_": true, "do_lower_case": true, "use_flash_attn": true, "num_choices": 2,
"encoder_width": 32, "emb_size": 32, "dense_seq_output": true, "matryoshka_dimensions": [16, 32], "license": "mit", "torch_dtype": "bfloat16",'; do
    with $model "$(echo "$fields" | tr '\n' ' ')"
    transformer-run -m m --ids 1x4xi64=7,9,5,3 ${decoder:+--decoder-ids 1x2xi64=2,5} --task feature-extraction -o "y${fields:+2}.h5" -f
  done
  tdiff y.h5 y2.h5 --rtol 0 --atol 0 && echo $model
done
with bert-classify '"summary_type": "first", "head_dim": 8,' && transformer-run -m m --ids 1x4xi64=7,9,5,3 -O csv --no-header | wc -l
for field in '"auto_map": {"AutoModel": "m.Model"},' '"attention_window": 512,' '"layer_types": ["sliding_attention"],' \
  '"position_embedding_type": "alibi",' '"pruned_heads": {"1": [0]},' '"head_dim": 16,'; do
  with bert-classify "$field"
  transformer-run -m m --ids 1x4xi64=7,9,5,3 -f -o y.h5 2>&1 || echo $?
done
for field in '"final_logit_softcapping": 30.0,' '"attn_logit_softcapping": 50.0,' '"final_logit_softcapping": null,'; do
  with llama "$field"
  transformer-run -m m --ids 1x4xi64=7,9,5,3 -f -o y.h5 2>&1 || echo $?
done
# A cross-encoder of sentence-transformers whose function is the identity says the logits themselves.
for field in '"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity",' \
  '"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity", "version": "5.0.0"},'; do
  with bert-classify "$field" && cp "$FIXTURES/words/tokenizer.json" m
  printf 'who went there\tthe man\n' | transformer-run -m m --best 3 --precision 4
done
