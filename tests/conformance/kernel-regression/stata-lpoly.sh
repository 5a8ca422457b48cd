# Stata's lpoly, degree 0, four kernels on 40 points, to the 8 digits it prints.
ships=$TESTDIR/ships.csv
printed=$TESTDIR/ships-lpoly-degree0-h1.csv
for kernel in gaussian parabolic boxcar; do
  nwreg -x "$ships:/log_service" -y "$ships:/accident" -q "$printed:/x" --kernel $kernel --bandwidth 1 -o $kernel.h5
  tdiff $kernel.h5:/y "$printed:/$kernel" --atol 5e-7 --rtol 5e-8
done
nwreg -x "$ships:/log_service" -y "$ships:/accident" -q "$printed:/x" --kernel parabolic --scale-convention sqrt5 \
  --bandwidth 1 -o sqrt5.h5
tdiff sqrt5.h5:/y "$printed:/parabolic_sqrt5" --atol 5e-7 --rtol 5e-8
