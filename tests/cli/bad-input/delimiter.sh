# A delimiter that numbers, words or lines are made of would make a table that cannot be read back.
for delimiter in 0 9 + - . e n X '"' '#' "$(printf '\nx' | head -c 1)" • '' ab; do
  code=0
  tconv 2x2=1,2,3,4 -O csv --delim "$delimiter" 2>>errors || code=$?
  [ $code -eq 2 ] || echo "--delim '$delimiter': exit code $code"
done
cat errors
for delimiter in , ';' '|' ' ' ':' tab '\t' '/' '*'; do
  tconv 2x2=1.5,-2e300,inf,nan -O csv --delim "$delimiter" | tconv - --delim "$delimiter" | tdiff - 2x2=1.5,-2e300,inf,nan
done
