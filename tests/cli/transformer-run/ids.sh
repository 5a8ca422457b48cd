# Ids in place of text: the same answer, and padding tokens of the source change nothing.
transformer-run -m "$EXAMPLES/dates" --ids 1x12xi64=12,4,31,19,36,37,4,11,9,11,10,2 -o a.h5
transformer-run -m "$EXAMPLES/dates" -o b.h5 "3 mars 2021"
tdiff a.h5 b.h5 --rtol 0 --atol 0
transformer-run -m "$EXAMPLES/dates" --ids 2x5xi64=12,4,31,2,0,12,4,31,9,2 --emit encoder -o padded.h5
transformer-run -m "$EXAMPLES/dates" --ids 1x4xi64=12,4,31,2 --emit encoder -o plain.h5
tdiff "padded.h5:/encoder[0:1,0:4]" plain.h5:/encoder --rtol 0 --atol 0

# With --decoder-ids nothing is generated: the ids beside the other results are those that were given.
transformer-run -m "$EXAMPLES/dates" --ids 1x3xi64=31,9,2 --decoder-ids 1x2xi64=1,11 --emit logits,encoder,decoder,ids -o y.h5
tdiff y.h5:/ids 1x2xi64=1,11 --atol 0
# They stay integers, whatever --dtype says: those above 256 are no numbers of bf16.
transformer-run -m "$EXAMPLES/dates" --ids 1x2xi64=3,4 --max-new-tokens 2 --dtype bf16 -o narrow.h5
tconv --list narrow.h5 --select y | sed -n 's/^y  *//p'

# A padded batch gives the bits of single lines, in encoder, decoder and logits.
transformer-run -m "$EXAMPLES/dates" --emit encoder,decoder,logits -o batch.h5 "3 mars 2021" "27 juli 2039" "1/2/99"
transformer-run -m "$EXAMPLES/dates" --emit encoder,decoder,logits -o single.h5 "1/2/99"
for name in decoder logits; do
  tdiff "batch.h5:/${name}[2:3]" single.h5:/$name --rtol 0 --atol 0
done
tdiff "batch.h5:/encoder[2:3,0:7]" single.h5:/encoder --rtol 0 --atol 0
