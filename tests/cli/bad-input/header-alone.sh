# A table with a header and no rows is refused where rows are needed: as samples, keys, weights or masks. No queries
# have no results.
printf 'x,y\n' >h.csv
refused() { code=0; "$@" || code=$?; [ $code -eq 66 ] || echo "$code: $*"; }
refused nwreg -x h.csv:/x -y h.csv:/y --bandwidth 1 -q 2=1,2
refused nwreg -x -:/x -y -:/y --bandwidth 1 -q 2=1,2 --emit state --shard 1/2 -o part.h5 <h.csv
refused nwreg -x 2=1,2 -y 2=1,2 --bandwidth 1 --sample-weights h.csv:/x
refused attend -q 2x2=1,2,3,4 -k h.csv -v h.csv
refused attend -q 2x2=1,2,3,4 -k 2x2=1,2,3,4 -v 2x2=1,2,3,4 --mask h.csv
refused linear 2x2=1,2,3,4 -w h.csv
refused posenc --kind alibi --alibi-slopes h.csv:/x --length 2
refused transformer-run -m "$EXAMPLES/dates" --ids h.csv
nwreg -x 2=1,2 -y 2=1,2 --bandwidth 1 -q h.csv:/x --quiet -O csv
softmax h.csv --quiet -O csv
