# What --summary prints is in the attributes too, but for the seconds; equal runs give equal bytes.
printf 'x,y\n1,1\n2,3\n3,2\n4,NA\n5,6\n6,5\n' >d.csv
run() { nwreg -x d.csv:/x -y d.csv:/y --missing omit --degree 1 --bandwidth 2 "$@"; }
run --summary -o a.h5 2>&1 | sed 's/\(seconds *\).*/\1S/'
cp a.h5 b.h5
run --summary -o a.h5 -f --quiet 2>/dev/null
cmp a.h5 b.h5
tconv --list a.h5 | grep -e @samples -e @rows -e @method -e @r-s -e @resid -e @eff
# The numbers by hand: residuals, and the trace of the weights.
run --emit weights -o w.h5
tconv w.h5:/y -O csv | awk 'NR > 1 { f[++n] = $1 } END { split("1 3 2 6 5", y, " ")
  for (i = 1; i <= n; ++i) { m += y[i] / n; a += (y[i] - f[i]) ^ 2 }
  for (i = 1; i <= n; ++i) b += (y[i] - m) ^ 2
  printf "%.6g\n", 1 - a / b }'
tconv w.h5:/weights -O csv | awk -F, 'NR > 1 { t += $(NR - 1) } END { printf "%.6g\n", t }'
# Several columns, and labels, which have neither R squared nor residuals.
nwreg -x 4=1,2,3,4 -y 4x2=1,5,2,3,4,4,3,1 --bandwidth 1 --summary -o c.npy 2>&1 | grep -e squared -e sd
nwreg -x 4=1,2,3,4 -y str=a,a,b,b --classify --bandwidth 1 --summary -o c.csv 2>&1 | grep -c -e squared -e sd || true
