# Flipped bits in the description of a dataset that no checksum guards: extents beyond their limits, elements of another
# width than the file has bytes for, the sign of a float within its exponent. Each gave wrong numbers.
tconv 2x3xf32=0,1,2,3,4,5 -o whole.h5
type=$(LC_ALL=C grep -abo -P '\x11\x20\x1f\0\x04\0{3}' whole.h5 | cut -d : -f 1)
# The byte, from the one where the type begins, and what becomes of it, in octal.
while read -r from value; do
  cp whole.h5 damaged.h5
  printf "\\$value" | dd of=damaged.h5 bs=1 seek=$((type + from)) conv=notrunc 2>dd.log
  code=0
  softmax damaged.h5 -O csv || code=$?
  [ $code -eq 65 ] || echo "$from $value: exit code $code"
done <<END
-24 006
-24 003
-24 000
-23 001
-16 002
2 036
2 035
2 033
2 027
2 017
4 014
4 024
5 001
5 002
END
