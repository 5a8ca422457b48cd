# A table with a header and no rows is refused where rows are needed: as samples, keys, weights or masks. No queries
# have no results.
. "$SUPPORT/try.sh"
ln -s "$EXAMPLES/dates" .
printf 'x,y\n' >h.csv
try nwreg -x h.csv:/x -y h.csv:/y --bandwidth 1 -q 2=1,2
try nwreg -x -:/x -y -:/y --bandwidth 1 -q 2=1,2 --emit state --shard 1/2 -o part.h5 <h.csv
try nwreg -x 2=1,2 -y 2=1,2 --bandwidth 1 --sample-weights h.csv:/x
try attend -q 2x2=1,2,3,4 -k h.csv -v h.csv
try attend -q 2x2=1,2,3,4 -k 2x2=1,2,3,4 -v 2x2=1,2,3,4 --mask h.csv
try linear 2x2=1,2,3,4 -w h.csv
try posenc --kind alibi --alibi-slopes h.csv:/x --length 2
try transformer-run -m dates --ids h.csv
nwreg -x 2=1,2 -y 2=1,2 --bandwidth 1 -q h.csv:/x --quiet -O csv
softmax h.csv --quiet -O csv
