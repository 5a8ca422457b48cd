# The squares of small weights vanish, not so what is made of them: the effective size of a window and its errors.
few="-x 4xf64=1,1.1,1.2,2 -y 4xf64=1,3,2,2 --sample-weights 4xf64=1e-170,1e-170,1e-170,1 --emit neff,se -O csv --quiet"
for width in 'boxcar --bandwidth 0.4' 'parabolic --bandwidth 0.4' 'gaussian --bandwidth 0.01' 'laplace --bandwidth 1e-3'; do
  for method in '--engine reference' '--method auto' '--method direct'; do
    nwreg $few --kernel $width $method --precision 6
  done
done
nwreg $few --bandwidth 0.01 --method series --precision 6
# Without weights as well: far from all samples every weight is small.
for method in direct series; do
  nwreg -x 2xf64=0,1 -y 2xf64=1,2 -q 4xf64=28,29.5,31,1e12 --bandwidth 1 --emit neff -O csv --method $method --precision 10
done
