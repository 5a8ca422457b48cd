# The rule of thumb scales with x, and refuses a constant column by name.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" --bandwidth rot -o y.h5
tconv --list y.h5 | grep '@bandwidth ='
nwreg -x 3x2xf64=1,5,2,5,3,5 -y 3xf64=1,2,3 --bandwidth rot -o z.h5 || echo $?
