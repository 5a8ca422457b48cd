# Labels of words with places: B- begins, I- goes on, E- and L- end, S- and U- are alone; neighbours of one label and
# one place are together, as in transformers' pipeline. Where no B- or I- is beside it, "E-mail" is a label.
cp -R "$CONFORMANCE/models/bert-tokens" m
cp "$FIXTURES/words/tokenizer.json" m
labels() { # of the tokens: 1 2 1 1 1 1 1 2 1 1 1
  sed "s/\"0\": \"negative\"/\"0\": \"$1\"/; s/\"1\": \"neutral\"/\"1\": \"$2\"/; s/\"2\": \"positive\"/\"2\": \"$3\"/" \
    "$CONFORMANCE/models/bert-tokens/config.json" >m/config.json
  echo "$2 $3"
  transformer-run -m m "the man is in Paris and the woman went to London" | tr '\t' '\n' | paste - - -
}
labels O I-PER B-PER
labels O E-PER B-PER
labels I-PER S-PER E-PER
labels B-PER U-PER L-PER
labels O E-mail S-curve
labels O B-PER O
