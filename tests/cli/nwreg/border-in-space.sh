# Kernels of finite width are closed: samples at exactly h are in, by every method, where 3 and 4 times 1/h round so
# that their squares add up to more than 1.
lattice() {
  nwreg -q 1x2xf64=0,0 -x 4x2xf64=3,4,1,0,0,-5,-4,4 -y 4x1xf64=10,20,30,1000 --precision 6 -O csv --no-header "$@"
}
for method in direct tree; do
  lattice --kernel boxcar --bandwidth 5 --method $method
  lattice --kernel triangular --bandwidth 5 --method $method
done
lattice --kernel boxcar --bandwidth 5,5
lattice --kernel boxcar --bandwidth 5 --engine reference
lattice --kernel boxcar --bandwidth 5 --emit weights
# Other widths, and other triangles.
nwreg --kernel boxcar --bandwidth 5,10 -q 1x2xf64=0,0 -x 2x2xf64=3,8,1,0 -y 2x1xf64=10,20 -O csv --no-header
for h in 13 65; do
  nwreg --kernel boxcar --bandwidth $h -q 1x2xf64=0,0 -x 4x2xf64=$((5 * h / 13)),$((12 * h / 13)),0,$h,1,0,$h,1 -y 4x1xf64=1,2,6,1000 -O csv --no-header
done
