# The text - is the lines of standard input, alone and among others, once.
D=$EXAMPLES/dates
printf '3 mars 2021\n1/2/2003\n' >lines
transformer-run -m "$D" - <lines
transformer-run -m "$D" "July 4, 1976" - "den 5. mai 1999" <lines
transformer-run -m "$D" --shard 2/2 - <lines
transformer-run -m "$D" - --emit ids -o ids.h5 <lines
transformer-run -m "$D" --emit ids -o expected.h5 <lines
tdiff ids.h5 expected.h5
transformer-run -m "$D" - </dev/null
transformer-run -m "$D" - - <lines || echo $?
