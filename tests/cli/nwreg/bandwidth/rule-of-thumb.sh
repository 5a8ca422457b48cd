# The rule of thumb scales with x.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" --bandwidth rot -o y.h5
tconv --list y.h5 | grep '@bandwidth ='
