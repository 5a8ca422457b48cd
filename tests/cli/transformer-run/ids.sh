# Ids in place of text: the same answer, and padding tokens of the source change nothing.
transformer-run -m "$EXAMPLES/dates" --ids 1x12xi64=12,4,31,19,36,37,4,11,9,11,10,2 -o a.h5
transformer-run -m "$EXAMPLES/dates" -o b.h5 "3 mars 2021"
tdiff a.h5 b.h5 --rtol 0 --atol 0
transformer-run -m "$EXAMPLES/dates" --ids 2x5xi64=12,4,31,2,0,12,4,31,9,2 --emit encoder -o padded.h5
transformer-run -m "$EXAMPLES/dates" --ids 1x4xi64=12,4,31,2 --emit encoder -o plain.h5
tdiff "padded.h5:/encoder[0:1,0:4]" plain.h5:/encoder --rtol 0 --atol 0
