# softmax of the scores of attend, with its masks and lengths, gives its weights.
X=$FIXTURES/attention/attention.h5
tconv 2x9xi64=1,1,1,1,0,1,1,0,0,1,1,1,1,1,1,0,1,1 -o bs.h5
tconv 2xi64=5,0 -o b.h5
tconv 2x6xi32=1,2,3,4,5,6,9,9,0,9,9,2 -o bl.h5
tconv bl.h5 --reshape 2,1,6 -o b1l.h5
tconv "$X:/bias[:,0]" -o bls.h5
check() {
  attend "$X" "$@" --quiet --emit weights,scores -f -o a.h5
  softmax a.h5:/scores "$@" | tdiff - a.h5:/weights --rtol 1e-12 --atol 1e-14
}
for mask in bs.h5 bls.h5 "$X:/mask" "$X:/mask_bhls" "$X:/bias"; do check --mask "$mask"; done
for lengths in b.h5 bl.h5 b1l.h5; do
  check --valid-lens $lengths
  check --valid-lens $lengths --mask bs.h5 --mask-invert
done

# Rows of 2 axes are batches, and another axis has lengths too.
softmax 2x3xf64=1,2,3,4,5,6 --valid-lens 2xi64=1,2 -O csv
softmax 3x2xf64=1,4,2,5,3,6 --axis 0 --valid-lens 2xi64=1,2 -O csv
softmax 2x3xf64=1,2,3,4,5,6 --valid-lens 3xi64=1,2,3 || echo $?
