# A trace changes nothing of the text that is printed, and holds what a run to tensors traces.
d=$EXAMPLES/dates
transformer-run -m "$d" --trace words.h5 "3 mars 2021" "5. mai 1999"
printf '3 mars 2021\n5. mai 1999\n' | transformer-run -m "$d" --trace lines.h5
transformer-run -m "$d" --trace tensors.h5 -o y.h5 "3 mars 2021" "5. mai 1999"
for trace in words lines; do
  for name in encoder/0/self_attn/q decoder/1/cross_attn/weights logits; do
    tdiff $trace.h5:/$name tensors.h5:/$name --rtol 0 --atol 0
  done
done
# So does the trace of what is said of lines, pairs among them: it is of the run itself. Pictures may come through a pipe.
models=$CONFORMANCE/models
printf 'the man\nhe went\tto Paris\n\n' >pairs
transformer-run -m "$models/bert-classify" <pairs >labels
transformer-run -m "$models/bert-classify" --trace pairs.h5 <pairs | diff - labels && echo "same labels"
tconv --list pairs.h5 --select encoder/ids
printf 'the man\nhe went to Paris\n\n' >lines
transformer-run -m "$models/gpt2" --task perplexity --trace scored.h5 <lines >scored
transformer-run -m "$models/gpt2" --task perplexity <lines | diff - scored && echo "same scores"
transformer-run -m "$models/gpt2" --max-new-tokens 4 --json <lines >answers
transformer-run -m "$models/gpt2" --max-new-tokens 4 --json --trace go-on.h5 <lines | diff - answers && echo "same answers"
tconv --list scored.h5 --select logits
tconv --list go-on.h5 --select logits
# Of no line at all there is no trace. All lines are one batch, whatever fits.
transformer-run -m "$d" --trace none.h5 </dev/null 2>&1 || echo $?
test ! -e none.h5
yes '3 mars 2021' | head -n 2000 >many
transformer-run -m "$d" --trace t.h5 -f --max-memory 100M <many 2>&1 | sed 's/[0-9]* bytes of memory/N bytes of memory/'
