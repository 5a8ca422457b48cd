# With --decoder-ids nothing is generated: the ids beside the other results are those that were given.
transformer-run -m "$EXAMPLES/dates" --ids 1x3xi64=31,9,2 --decoder-ids 1x2xi64=1,11 --emit logits,encoder,decoder,ids -o y.h5
tdiff y.h5:/ids 1x2xi64=1,11 --atol 0
