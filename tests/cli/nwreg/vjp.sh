# The gradients that nwreg writes; other fits than that of degree 0 at one bandwidth have none.
x=$EXAMPLES/cars.csv:/speed y=$EXAMPLES/cars.csv:/dist
nwreg -x "$x" -y "$y" --loo --vjp "$y" --bandwidth 2 | tconv --list | cut -d ' ' -f 1
nwreg -x "$x" -y "$y" --vjp "$y" --bandwidth cv 2>&1 || echo $?
nwreg -x "$x" -y "$y" --vjp "$y" --bandwidth 2 --degree 1 2>&1 || echo $?
