# Integers of unlike dtypes join without a rounded digit, or not at all.
tconv 1xi64=9007199254740993 1xi8=1 --concat 0 | tconv -O csv
tconv 1xu64=18446744073709551615 1xu8=1 1xbool=1 --concat 0 | tconv -O csv
tconv 1xi64=-9007199254740993 1xi32=1 --stack 0 | tconv -O csv
tconv 1xi8=1 1xf32=0.5 --concat 0 | tconv --list
printf 'x,y\n9007199254740993,1\n' >large.csv
printf 'x,y\n1,2\n' >small.csv
tconv large.csv small.csv --concat 0 --dtype i64 -O csv
# Tables say nothing of types: whole numbers beside large ones are integers, where none is -0, a fraction or a NaN.
tconv large.csv small.csv --concat 0 -O csv
tconv small.csv large.csv --stack 0 | tconv -:/table[:,0,0] -O csv
printf 'x,y\n' >none.csv
tconv none.csv large.csv --concat 0 -O csv
printf 'x,y\n18446744073709551615,1\n' >larger.csv
tconv small.csv larger.csv --concat 0 -O csv
printf 'name,id\nBob,9007199254740993\n' >words-large.csv
printf 'name,id\nAnn,7\n' >words-small.csv
tconv words-small.csv words-large.csv --concat 0 -O csv
tconv words-small.csv words-large.csv --concat 0 --dtype f32 | tconv --list --select '[in]*'
for y in -0 0.5 nan; do
  code=0
  printf 'x,y\n1,%s\n' $y >other.csv
  tconv large.csv other.csv --concat 0 -O csv || code=$?
  echo "$code"
done
code=0
tconv larger.csv large.csv 'large.csv[:,::-1]' --concat 0 -O csv || code=$?
echo "$code"
for dtypes in 'i64=9007199254740993 f64=1' 'i64=-1 u64=18446744073709551615' 'u64=18446744073709551615 f32=1' \
  'i64=9223372036854775807 f64=1'; do
  code=0
  tconv 1x${dtypes% *} 1x${dtypes#* } --concat 0 -O csv || code=$?
  echo "$code"
done
tconv 1xi64=9007199254740993 1xf64=1 --concat 0 --dtype f64 -O csv
