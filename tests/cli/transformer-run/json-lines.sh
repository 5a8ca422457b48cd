# --json-lines reads texts as tokenize does: strings, several texts in brackets, or an object. What a line of text can
# hold has the same result; a line end or a tab in a string is part of the text.
models=$CONFORMANCE/models
with() { # MODEL OPTION...: two ways to give the same texts
  model=$models/$1
  shift
  transformer-run -m "$model" "$@" <plain >expected
  transformer-run -m "$model" "$@" --json-lines <json 2>&1 | diff expected - && echo "the same"
}
printf 'the man\n\nwho went there\n' >plain
printf '"the man"\n""\n{"text": "who went there"}\n' >json
with bert-classify
with bert-tokens
with gpt2 --max-new-tokens 3
with gpt2 --task perplexity
with bert --pool mean --precision 4
with bert-classify -O csv
with gpt2 --emit ids -O csv --max-new-tokens 2
printf 'the man\twho\nin Paris\n' >plain
printf '["the man", "who"]\n{"text": "in Paris"}\n' >json
with bert-classify
printf 'who is in Paris\tthe man is in Paris\n' >plain
printf '{"text": "who is in Paris", "pair": "the man is in Paris"}\n' >json
with bert-answer
printf '{"question": "who is in Paris", "context": "the man is in Paris"}\n' >json
with bert-answer
printf '{"text": "who is in Paris", "text_pair": "the man is in Paris"}\n' >json
with bert-answer
echo "a line end and a tab"
printf '"the man\\nis in Paris"\n"the man\\tis"\n' | transformer-run -m "$models/bert-tokens" --json --json-lines |
  sed -E 's/(0\.[0-9]{4})[0-9]*/\1/g' | cut -c 1-110
transformer-run -m "$models/bert-tokens" --json-lines '"the man"'
echo "refused"
for line in 'the man' '["the man", "who"]' '["the man"]' '' '{"text": "the man", "label": 1}' '{"context": "the man"}' \
  '{"question": "who", "context": "the man", "text": "there"}' '{"question": "who"}' '{"text": "a", "pair": null}' \
  '{"text": null, "label": 1}' '{"tokens": ["a"]}'; do
  printf '%s\n' "$line" | transformer-run -m "$models/bert-tokens" --json-lines 2>&1 || echo $?
done
echo '"who"' | transformer-run -m "$models/bert-answer" --json-lines 2>&1 || echo $?
printf '"who"\n["a", "b"]\n"the"\n' | transformer-run -m "$models/gpt2" --max-new-tokens 1 --json-lines --on-error skip 2>&1 | sed -n 1p
printf '"who"\n["a", "b"]\n' | transformer-run -m "$models/gpt2" --json-lines --task perplexity 2>&1 | sed -n 2p
printf '"who"\n{}\n' | transformer-run -m "$models/bert" --json-lines -O csv 2>&1 || echo $?
transformer-run -m "$models/bert" --json-lines --ids 1x2xi64=1,2 2>&1 || echo $?
transformer-run -m "$models/bert" --json-lines --chat x 2>&1 || echo $?
