# log p of each token given those before it, by hand from the logits; in windows; texts that are too long.
models=$CONFORMANCE/models
text="the man went to Paris"
transformer-run -m "$models/gpt2" --dtype f64 --task log-probabilities --precision 6 "$text" | tr '\t' '\n' | sed -n 'n;p' >found
tokenize -m "$models/gpt2" -O h5 <<TEXT | tconv --select ids -o ids.h5
$text
TEXT
transformer-run -m "$models/gpt2" --dtype f64 --decoder-ids ids.h5:/ids | softmax --log -O csv >logs.csv
tconv ids.h5:/ids -O csv | tr , '\n' | grep -v '^[#i]' | sed 1d >next
awk -F, 'NR == FNR { next_id[NR] = $1; n = NR; next } !/^[#y]/ && row < n { print $(next_id[++row] + 1) }' next logs.csv >expected
paste found expected | awk '{ n += ($1 - $2 < 1e-3 && $2 - $1 < 1e-3) } END { print n, "as the logits say" }'
transformer-run -m "$models/gpt2" --dtype f64 --task perplexity "$text" >whole
awk '{ s += $1 } END { printf "%.3e %.2f %d\n", exp(-s / NR), s, NR }' found
awk '{ printf "%.3e %.2f %d\n", $1, $2, $3 }' whole
long=$(awk 'BEGIN { for (i = 0; i < 100; ++i) printf "the man " }')
transformer-run -m "$models/gpt2" --task perplexity --stride 0 "$long" 2>&1 || echo $?
transformer-run -m "$models/gpt2" --task perplexity --stride 32 "$long" >windows
transformer-run -m "$models/gpt2" --task perplexity "$long" 2>&1 >default
cmp windows default
transformer-run -m "$models/gpt2" --task perplexity --stride 20 "$long" | cut -f 3
transformer-run -m "$models/bert" --task perplexity "$text" 2>&1 || echo $?
transformer-run -m "$models/gpt2" --task summary "$text" 2>&1 || echo $?
