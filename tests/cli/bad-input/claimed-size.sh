# An image that claims far more than it has is truncated, through a pipe as in a file, also where there are too few
# addresses for what it claims.
. "$SUPPORT/own-memory.sh"
tconv 3=1,2,3 -o x.h5
cp x.h5 claims.h5
# The address of the end, behind that of free space.
printf '\000\000\000\000\004\000\000\000' | dd of=claims.h5 bs=1 seek=40 conv=notrunc 2>dd.log
ulimit -v 1000000
tconv claims.h5 -O csv 2>&1 || echo $?
cat claims.h5 | tconv -O csv 2>&1 || echo $?
head -c 40000000 /dev/zero | cat claims.h5 - | tconv -O csv 2>&1 || echo $?
cat x.h5 | tconv -O csv
