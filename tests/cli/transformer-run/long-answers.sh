# A text too long for a question is read in windows that share tokens, and --no-answer lets "none" win: probabilities as
# a script with transformers' model and the windows of the tokenizers package has them.
cp -R "$CONFORMANCE/models/bert-answer" m
cp "$FIXTURES/words/tokenizer.json" m
text=$(yes 'the man is here and the woman went to London .' | head -n 9 | paste -sd ' ' -)
printf 'who went to London\t%s\n' "$text" >question
transformer-run -m m --best 3 --no-answer <question
transformer-run -m m --best 2 --no-answer --max-length 24 <question
printf 'who went to London\tthe man is in Paris\n' | transformer-run -m m --best 2 --no-answer
printf 'who\tParis man\n' | transformer-run -m m --best 2 --no-answer
printf 'who\tParis man\n' | transformer-run -m m --json --no-answer | sed -E 's/(0\.[0-9]{4})[0-9]*/\1/g'
# Each answer once, and a long line among others ends nothing.
cat question question - <<'TEXT' | transformer-run -m m --best 1 | cut -f 1
who	the man
TEXT
transformer-run -m m --max-length 0 <question 2>&1 || echo $?
printf 'who is the man who went to London with the woman who was in Paris and in London\ta man\n' | transformer-run -m m --max-length 20 2>&1 || echo $?
# The smallest length leaves room for more than windows share.
for length in 2 4 5; do
  transformer-run -m "$CONFORMANCE/models/bert-tokens" --max-length $length "the man who is in Paris" 2>&1 | cut -f 1,2
done
