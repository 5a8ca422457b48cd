# One operand, or three, is a usage error; a missing file is missing.
for operands in '' '1' '1 2 3' 'missing.h5 1'; do
  code=0
  tdiff $operands </dev/null || code=$?
  echo $code
done
