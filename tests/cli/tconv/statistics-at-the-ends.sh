# Mean and deviation of the largest and the smallest numbers, and of many beside which they are small.
for numbers in 2=1e200,3e200 2=1e-200,3e-200 2=1e308,1.7e308 2=-1.7e308,1.7e308 2=5e-324,1.5e-323 1=7 4=nan,inf,1,3; do
  tconv --list --values $numbers
done
tconv --list --values 2xu64=18446744073709551615,18446744073709551613 --json | grep -E '"(min|max|mean|sd)"'
# The sum of these 300000 numbers is 300000000049500, to the last digit of their mean.
awk 'BEGIN { for (i = 0; i < 300000; ++i) printf "%d.%03d\n", 1000000000, i * 7919 % 1000 }' >far.csv
tconv --list --values --json far.csv --no-header | grep '"mean"'
tconv --stats far.csv --no-header -o far.h5
