# A Laplace kernel never vanishes, however far all keys are: neither over its sum nor for the best key.
for dtype in f64 f32; do
  far() { attend --score laplace -q 2x1x$dtype=1000,0.5 -k 3x1x$dtype=1,0.5,-1 -v 3x1x$dtype=1,2,3 --precision 6 "$@"; }
  far --emit weights -O csv --no-header
  far --emit weights --engine reference -O csv --no-header
  far --normalize hard -O csv --no-header
  far --normalize hard --engine reference -O csv --no-header
done
# What is shown as its scores is the kernel itself, with its factor.
attend --score laplace --scale 2 --emit scores,scores-masked -q 1.5 -k 3x1=1,0.5,-1 -v 3x1=1,2,3 --valid-lens 1=2 --precision 6 -O csv --no-header
attend --normalize hard --nearest --score laplace -q 1000 -k 3x1=1,2,3 -v str=a,b,c
# Its square leaves the range of f32.
attend --score laplace --normalize hard -q 1x1xf32=9e29 -k 3x1xf32=-1e30,2e30,1e30 -v 3x1xf32=1,2,3 -O csv --no-header
attend --score laplace --explain 0 -q 1000 -k 2x1=1,2 -v 2x1=10,20
