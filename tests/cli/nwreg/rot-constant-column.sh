# A column of equal numbers has no spread, also where their mean is off by a rounding: 0.1 has no exact double.
awk 'BEGIN { print "k,y"; for (i = 0; i < 2000; i++) print "0.1," i % 7 }' >k.csv
nwreg -x k.csv:/k -y k.csv:/y --bandwidth rot -O csv
