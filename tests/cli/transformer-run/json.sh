# Everything that a task finds, one JSON object a line.
models=$CONFORMANCE/models
run() { transformer-run --json -m "$models/$1" "$2" "$3" "$4"; }
digits() { sed -E 's/(-?[0-9]\.[0-9]{4})[0-9]*/\1/g'; } # the last ones of single precision are the instruction set's
run bert-classify --best 2 "the man is in Paris" | digits
run bert-tokens --batch 1 "der Mann, the man is in Paris" | digits
printf 'Who is in Paris\tô the man is here . a woman was in London\n' |
  transformer-run --json -m "$models/bert-answer" --best 2 | digits
run bert-masked-lm --best 2 "the [MASK] went to [MASK] ." | digits
run bert --pool cls "the man" | digits | cut -c 1-17
run gpt2 --max-new-tokens 3 "the man" | digits
run gpt2 --task perplexity "the man went" | sed -E "s/(perplexity\":[0-9]{5})[0-9]{4}\.[0-9]*/\1.../" |
  sed -E 's/(-[0-9]+\.[0-9]{2})[0-9]*/\1/g' # sums of larger numbers
printf 'the man\n\377\n' | transformer-run --json -m "$models/bert-classify" --on-error skip 2>/dev/null | digits
