# No keys at all: a row of zeros and no weights, in every type.
for type in f64 f32; do
  ATTN_ISA=baseline attend --quiet -q 1x2x$type=1,0 -k 0x2x$type= -v 0x3x$type= --emit weights,topk=1 -o $type.h5
  h5ls $type.h5 | tr -s " "
done
# A key that is the query, among many coordinates and far from 0 for the bandwidth.
attend --score gaussian --bandwidth 1000 --normalize hard --emit scores -O csv --no-header -q 1x8xf32=1000 \
  -k 3x8xf32=1000.5,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000.25,1000,1000,1000.125 \
  -v 3x1xf32=1,2,3
