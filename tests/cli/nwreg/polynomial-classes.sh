# Probabilities of local polynomials stay within 0 and 1 and add up to 1, and none is rewarded for more than 1.
classes="-x 6xf64=0,1,2,3,4,5 -y 6xf64=0,0,0,1,1,1 --classify"
nwreg $classes --degree 1 --bandwidth 1 -q 2xf64=-3,8 --emit probabilities -O csv --precision 6
nwreg $classes --degree 1 --bandwidth cv --loss log -o y.h5 2>&1 | grep -o 'cv = [0-9.-]*'
