# A line longer than the model is cut to its positions, with a note; --max-length N cuts to N tokens as in tokenize, 0
# makes such a line an error. It never ends a batch of others.
models=$CONFORMANCE/models
long=$(yes 'the man is in Paris' | head -n 20 | paste -sd ' ' -)
printf 'the man\n%s\nwho went there\n' "$long" >lines
cp -R "$models/bert-classify" m
cp "$FIXTURES/words/tokenizer.json" m
# What it is cut to is what tokenize cuts.
for most in 40 7; do
  tokenize -m m --max-length $most -O h5 <lines | tconv --select ids -o ids.h5 -f
  transformer-run -m m --ids ids.h5:/ids | softmax | tconv -O csv --no-header | tail -n 3 | awk -F, '{
    m = 1; for (i = 2; i <= NF; ++i) if ($i > $m) m = i; printf "LABEL %.4f\n", $m }' >expected
  transformer-run -m m --max-length $most <lines 2>note | sed 's/^[^\t]*\t/LABEL /' | diff expected - && echo "$most tokens: the same"
  cat note
done
transformer-run -m m --max-length 0 <lines 2>&1 || echo $?
transformer-run -m m --max-length 0 --on-error skip <lines 2>&1 || echo $?
transformer-run -m m --max-length 2 <lines 2>&1 || echo $?
printf '%s\nthe man\n%s\n' "$long" "$long" | transformer-run -m m 2>&1 >/dev/null
transformer-run -m m -O csv "$long" 2>&1 >/dev/null
echo "a mask that is cut away"
printf '%s [MASK]\nthe [MASK]\n' "$long" | transformer-run -m "$models/bert-masked-lm" --on-error skip 2>&1 || echo $?
echo "a prompt loses its beginning"
full=$(yes man | head -n 50 | paste -sd ' ' -)
transformer-run -m "$models/gpt2" --max-new-tokens 4 "$long $long $full" "$full" 2>note | uniq | wc -l
cat note
transformer-run -m "$models/gpt2" --max-new-tokens 4 --max-length 5 "$long $full" "$full" | uniq | wc -l
echo "an encoder-decoder"
printf '3 mars 2021\n%080d\n1 mei 1999\n' 0 | transformer-run -m "$EXAMPLES/dates" 2>&1 | sed 2s/.*/.../
