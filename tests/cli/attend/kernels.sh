# Every smoothing kernel as a weight, at distance 1/2 of its width.
for kernel in boxcar triangular parabolic biweight triweight tricube cosine-kernel laplace constant; do
  attend --score $kernel --bandwidth 2 --normalize none -q 1 -k 0 -v 1 --precision 6 -O csv
done
attend --score gaussian --bandwidth 2 --normalize none -q 1 -k 0 -v 1 --precision 6 -O csv
