# model_input_names without token_type_ids: the model is not given types, so that all are 0.
mkdir m && cp "$FIXTURES/words/tokenizer.json" m && printf 'the\tman\n' >lines
for names in '["input_ids", "token_type_ids", "attention_mask"]' '["input_ids", "attention_mask"]' null; do
  echo "{\"model_input_names\": $names}" >m/tokenizer_config.json
  tokenize -m m --pair --json lines | grep -o '"type_ids":[^]]*'
done
