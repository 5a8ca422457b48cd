# Weights may lie 1e200 apart, and no more: light samples keep their digits where they are alone, or are refused by name.
printf 'x,y,light\n0,1e-90,1e-195\n0.5,3e-90,1e-195\n1,5e-90,3e-195\n9,1,2\n' >w.csv
for how in '--method direct' '--method window' '--engine reference'; do
  # shellcheck disable=SC2086
  nwreg -x w.csv:/x -y w.csv:/y --sample-weights w.csv:/light --kernel triweight --bandwidth 0.9 $how -O csv --precision 12
done
nwreg -x w.csv:/x -y w.csv:/y --sample-weights 4xf64=1e-203,0,3,1e-5 --bandwidth 1 || echo $?
# However small all are.
nwreg -x w.csv:/x -y w.csv:/y --sample-weights 4xf64=1e-320,0,1e-320,2e-310 --bandwidth 0.1 -O csv
