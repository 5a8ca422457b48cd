# A convention is a factor on the bandwidth: the same fit for the number that means the same.
cars="-x $EXAMPLES/cars.csv:/speed -y $EXAMPLES/cars.csv:/dist"
nwreg $cars --kernel parabolic --bandwidth 2 --scale-convention sqrt5 -o a.h5
nwreg $cars --kernel parabolic --bandwidth 2 --scale-convention sd -o b.h5
nwreg $cars --kernel parabolic --bandwidth 4.47213595499958 -o c.h5
nwreg $cars --kernel boxcar --bandwidth 3 --scale-convention ksmooth -o d.h5
nwreg $cars --kernel boxcar --bandwidth 1.5 -o e.h5
tdiff a.h5:/y c.h5:/y --rtol 1e-13
tdiff b.h5:/y c.h5:/y --rtol 1e-13
tdiff d.h5:/y e.h5:/y
