# Qwen2 without tokenizer.json: NFC, then its own pattern, as Qwen2Tokenizer of transformers 5.24 does with these files.
# A class whose rules vocab.json and merges.txt do not tell is refused.
cp "$CONFORMANCE/tokenizers/gpt2/vocab.json" "$CONFORMANCE/tokenizers/gpt2/merges.txt" .
echo '{"tokenizer_class": "Qwen2Tokenizer"}' >tokenizer_config.json
printf "e\314\201 I'LL pay 1234\n" | tokenize -m .
for class in CLIPTokenizer PreTrainedTokenizerFast; do
  echo "{\"tokenizer_class\": \"$class\"}" >tokenizer_config.json
  echo a | tokenize -m . || echo $?
done
echo '{"model_type": "qwen2"}' >config.json
printf "e\314\201 I'LL pay 1234\n" | tokenize -m .
tokenize -m . "pay 1234" || echo $?
