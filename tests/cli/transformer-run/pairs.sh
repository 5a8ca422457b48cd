# Pairs of texts and choices, tabs between them: probabilities from the logits of their ids by hand.
heads=$CONFORMANCE/models/heads
vocabulary() { printf '%s\n' '[CLS]' '[PAD]' '[SEP]' '[UNK]' '[MASK]' '.' the man went here there to a w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11; }
cp -R "$heads/bert-choice" m
vocabulary >m/vocab.txt
printf 'the man went\there\tto the man\n\nno tab\n' | transformer-run -m m --best 2 --on-error skip 2>&1 || echo $?
printf 'the man went\there\nthe man went\tto the man\n' | tokenize -m m --pair -O h5 -o ids.h5
transformer-run -m m --ids ids.h5:/ids --attention-mask ids.h5:/mask --type-ids ids.h5:/type_ids -O csv | tail -n 2 | tr '\n' , | sed 's/,$//' |
  sed 's/^/2xf64=/' | xargs softmax -O csv --precision 4
printf 'the man went\there\tthere\n' | transformer-run -m m --json --best 2 | cut -c 1-24
rm -r m
cp -R "$heads/bert-next-sentence" m
vocabulary >m/vocab.txt
printf 'the man went\tto the man\n' | transformer-run -m m --best 2
# An empty second text is one, as in transformers.
rm -r m
cp -R "$CONFORMANCE/models/bert-classify" m
cp "$FIXTURES/words/tokenizer.json" m
for line in 'the man\t' 'the man'; do
  printf "$line\n" | transformer-run -m m --trace trace.h5 -f >/dev/null
  tconv trace.h5:/encoder/ids -O csv --no-header
done
# Types of tokens are what a model gets only if its tokenizer is of a kind that gives them, or says so.
printf 'the man\tthere\n' >pair
pair() {
  echo "$1" >m/tokenizer_config.json
  transformer-run -m m --trace trace.h5 -f <pair >/dev/null
  tconv trace.h5:/encoder/type_ids -O csv --no-header
}
pair '{"tokenizer_class": "BertTokenizer"}'
pair '{"tokenizer_class": "TokenizersBackend"}'
pair '{"tokenizer_class": "PreTrainedTokenizerFast"}'
pair '{"tokenizer_class": "TokenizersBackend", "model_input_names": ["input_ids", "token_type_ids", "attention_mask"]}'
pair '{"tokenizer_class": "BertTokenizer", "model_input_names": ["input_ids", "attention_mask"]}'
# Special tokens that the vocabulary does not have matter to generation alone; what is switched off, to nobody.
rm -r m
cp -R "$heads/bert-causal" m
sed 's/"eos_token_id": 2/"eos_token_id": 50256, "use_novelty": false, "_note": 3/' "$heads/bert-causal/config.json" >m/config.json
transformer-run -m m --decoder-ids 1x2xi64=7,8 -o y.h5 && echo computed
transformer-run -m m --ids 1x2xi64=7,8 2>&1 || echo $?
sed 's/"eos_token_id": 2/"eos_token_id": 2, "use_novelty": true/' "$heads/bert-causal/config.json" >m/config.json
transformer-run -m m --list 2>&1 || echo $?
