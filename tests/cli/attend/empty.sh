# Queries that no key is left for: what --empty makes of their rows, with one note.
. "$SUPPORT/try.sh"
# The second query is beyond the reach of the kernel.
far() { attend --score boxcar -q 2x1xf64=0,9 -k 2x1xf64=0,4 -v 2x1xf64=10,20 -O csv "$@"; }
try far
try far --quiet
try far --empty nan
# The nearest key stays the nearest where a scale turns the order of the weights round.
try far --empty nearest
try far --empty nearest --scale=-1
# If masks leave no key, none is nearest, and the note says so.
try attend --empty nearest --score boxcar --valid-lens 2x3=1,2,0,0,2,1 \
  -q 2x3x1xf64=9,9,9,9,0,9 -k 2x1=0,4 -v 2x1=10,20 -O csv --no-header
try attend --empty nearest --valid-lens 1=0 -q 1 -k 2x1=0,4 -v 2x1=10,20 -O csv --no-header
# The logit of a sink is part of the log-sum-exp of a query that has keys.
try attend --emit lse --sinks 1=0 --valid-lens 1x2=1,0 -q 2x1=0,0 -k 2x1=0,4 -v 2x1=10,20 --precision 6 -O csv --no-header

# Without keys every row is empty and there are no weights, in every type; without queries there is no row, and that is
# no error.
try attend -q 2x1xf64=1,2 -k 0x1xf64= -v 0x2xf64= -O csv
attend -q 0x1xf64= -k 2x1xf64=1,2 -v 2x2xf64=1,2,3,4 -o y.h5
try tconv y.h5 -O csv
for type in f64 f32; do
  ATTN_ISA=baseline attend --quiet -q 1x2x$type=1,0 -k 0x2x$type= -v 0x3x$type= --emit weights,topk=1 -o $type.h5
  h5ls $type.h5 | tr -s " "
done

# Queries whose window is beyond the last key: their weights are 0, and the other rows are left alone.
try attend --window 1,0 -q linspace=0,1,200 -k 4x1xf64=1,2,3,4 -v 4x1xf64=1,2,3,4 --emit weights,scores-masked -o window.h5
for name in y weights scores-masked; do
  tconv "window.h5:/$name[5:]" --no-header -O csv | sort | uniq -c | tr -s ' '
done
try tconv "window.h5:/weights[0:6]" --no-header -O csv --precision 3
