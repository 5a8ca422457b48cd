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
