# One output line for each input line, empty ones too; \r\n ends a line as \n does, the last line needs no end.
printf '\n3 mars 2021\r\n\n1 mei 1999' | transformer-run -m "$EXAMPLES/dates"
# It has as many answers as the others, traced or not.
for trace in "" "--trace t.h5"; do
  # shellcheck disable=SC2086
  printf '3 mars 2021\n\n' | transformer-run -m "$EXAMPLES/dates" --beams 3 --num-return 3 $trace | tr '\t' '|'
done
# Nothing is generated from an empty text where the result is tensors, alone and among others.
transformer-run -m "$EXAMPLES/dates" -O csv "" | tail -n 1
transformer-run -m "$EXAMPLES/dates" --beams 2 --num-return 2 -O csv --max-new-tokens 4 "" "3 mars 2021" "" | tail -n 6
transformer-run -m "$EXAMPLES/dates" --emit scores -o y.h5 "" "3 mars 2021"
tconv y.h5:/scores[0] -O csv | tail -n 1
g=$CONFORMANCE/models/gpt2
transformer-run -m "$g" --ids 2x3xi64=5,6,7,8,9,10 --attention-mask 2x3xi64=1,1,1,0,0,0 --max-new-tokens 2 -O csv | cut -d , -f 4-
