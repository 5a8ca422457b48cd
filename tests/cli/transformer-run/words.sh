# --aggregate gives words of several tokens one label: as the pipeline of transformers 5.24 with aggregation_strategy.
# A word goes on at ##, or where a vocabulary has no such prefix, where no space is.
cp -R "$CONFORMANCE/models/bert-tokens" m
rm -f m/tokenizer*
sed -i 's/"0": "negative"/"0": "B-LOC"/; s/"1": "neutral"/"1": "B-PER"/; s/"2": "positive"/"2": "I-PER"/' m/config.json
printf '%s\n' '[PAD]' '[UNK]' '[CLS]' '[SEP]' '[MASK]' an '##ge' '##la' mer '##kel' was in ber '##lin' , . u s '##s' new york \
  '##er' the '##york' >m/vocab.txt
echo '{"tokenizer_class": "BertTokenizer", "do_lower_case": true}' >m/tokenizer_config.json
names() { transformer-run -m m --quiet "$@" | tr '\t' '\n' | paste -d '|' - - -; }
for how in simple first average max; do
  echo "# $how"
  names --aggregate $how "Angela Merkel, U.S. was in Berlin xyz newyorker. The Merkels was"
done
rm m/vocab.txt m/tokenizer_config.json
cp "$FIXTURES/words/tokenizer.json" m
for how in simple first average max; do
  echo "# $how, without a prefix"
  names --aggregate $how "the man, who is in Paris."
done
