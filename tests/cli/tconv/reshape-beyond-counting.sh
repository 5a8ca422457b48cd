# Extents whose product no address can count are a shape that does not fit, as others are.
for shape in 4,4 4294967296,4294967296 -1,4294967296,4294967296; do
  code=0
  tconv 6=1,2,3,4,5,6 --reshape $shape 2>&1 || code=$?
  echo $code
done
