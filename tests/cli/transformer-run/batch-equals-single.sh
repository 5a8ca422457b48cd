# A padded batch gives the bits of single lines, in encoder, decoder and logits.
transformer-run -m "$EXAMPLES/dates" --emit encoder,decoder,logits -o batch.h5 "3 mars 2021" "27 juli 2039" "1/2/99"
transformer-run -m "$EXAMPLES/dates" --emit encoder,decoder,logits -o single.h5 "1/2/99"
for name in decoder logits; do
  tdiff "batch.h5:/${name}[2:3]" single.h5:/$name --rtol 0 --atol 0
done
tdiff "batch.h5:/encoder[2:3,0:7]" single.h5:/encoder --rtol 0 --atol 0
