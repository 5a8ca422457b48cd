# Squares that vanish cost nothing: without epsilon a row and its multiple by a power of two have the same norm, and the
# values are those of the formula. An epsilon that is larger than they are hides them, as it should.
tiny=$(awk 'BEGIN { u = 2 ^ -664; printf "1x4=%.17g,%.17g,%.17g,%.17g", u, 2 * u, 3 * u, 4 * u }')
least=$(awk 'BEGIN { u = 2 ^ -1074; printf "1x4=%.17g,%.17g,%.17g,%.17g", u, 2 * u, 3 * u, 4 * u }')
for norm in layer rms; do
  addnorm --no-residual 1x4=1,2,3,4 --kind $norm --eps 0 -f -o ones.h5
  tconv ones.h5 -O csv --no-header
  for engine in auto reference; do
    addnorm --no-residual "$tiny" --kind $norm --eps 0 --engine $engine -f -o y.h5
    tdiff --rtol 1e-15 y.h5 ones.h5
  done
  addnorm --no-residual "$least" --kind $norm --eps 0 -f -o y.h5
  tdiff y.h5 ones.h5
  addnorm --no-residual "$tiny" --kind $norm -O csv --no-header --precision 3
done
