# Text through models with heads of their own: labels, labelled words, answers, masks, vectors; a line each.
model() { # NAME: a small model with a tokenizer of words
  rm -rf m
  cp -R "$CONFORMANCE/models/$1" m
  cp "$FIXTURES/words/tokenizer.json" m
}
model bert-classify
printf 'the man is in Paris\n\nwho went there\n' | transformer-run -m m --best 3
# The same by hand: [CLS] who went there [SEP], logits, softmax.
tokenize -m m -O h5 <<'TEXT' | tconv --select ids -o ids.h5
who went there
TEXT
transformer-run -m m --ids ids.h5:/ids | softmax | tconv -O csv | tail -n 1 | tr , '\n' | sort -rg | xargs printf '%.4f\n'
model bert-tokens
transformer-run -m m "the man is in Paris"
model bert-answer
printf 'Who is in Paris\tthe man is here . a woman was in London\n' | transformer-run -m m --best 2
model bert-masked-lm
transformer-run -m m --best 2 "the [MASK] went to [MASK] ."
model bert
# The last digits of single precision are those of the instruction set.
transformer-run -m m --pool first "the man" | awk '{ printf "%.4f %.4f %.4f\n", $1, $2, $3 }'
transformer-run -m m --pool first --precision 3 "the man" | tr '\t' '\n' | awk 'length($1) > 10 { print "too long: " $1 }'
model bert-classify
transformer-run -m m --precision 2 "who went there"
for task in sentiment-analysis text-classification; do transformer-run -m m --task $task "who went there"; done
printf 'no mask\n' | (model bert-masked-lm && transformer-run -m m 2>&1) || echo $?
