# The shared options of tokenize, whose input is text.
printf '3 March 2021\n4 May\n' >lines.txt
run() { tokenize -m "$EXAMPLES/dates" lines.txt "$@"; }
run -o ids.h5
run -o again.h5 -t 1 --quiet --no-progress
cmp ids.h5 again.h5 || echo "equal runs give other bytes"
code=0
run -o ids.h5 2>errors || code=$?
[ $code -eq 73 ] || echo "an existing output: exit code $code"
run -o other.h5:/words
tdiff other.h5:/words ids.h5:/ids || echo "-o FILE:/name does not name the dataset"
tconv 1=5 -o more.h5:/first
run -A -o more.h5:/words
tdiff more.h5:/first 1=5 && tdiff more.h5:/words ids.h5:/ids || echo "-A does not add"
for format in h5 npy safetensors; do
  [ $format = npy ] && continue  # holds one tensor
  run -O $format | tdiff -:/ids ids.h5:/ids || echo "-O $format reads back differently"
done
code=0
run -O npy >out 2>errors || code=$?
[ $code -ne 0 ] || echo "three tensors go into NPY"
run -O csv --no-header | sed -n 1p | grep -q '^[0-9,]*$' || echo "--no-header has one"
run -O csv | sed -n 1p | grep -q ids || echo "-O csv has no header"
run -O csv --delim ';' | grep -q ';' || echo "--delim is not written"
run --dtype i32 -O h5 | tconv --list | grep -q '^ids .*i32' || echo "--dtype is ignored"
run --check ids.h5:/ids -O h5 >out || echo "--check of the same fails"
tconv 2x13=7 -o sevens.h5:/ids
code=0
run --check sevens.h5:/ids -O h5 >out 2>errors || code=$?
[ $code -eq 1 ] || echo "--check of others: exit code $code"
run --check sevens.h5:/ids --atol 100 -O h5 >out || echo "--atol is ignored"
run --check sevens.h5:/ids --rtol 100 -O h5 >out || echo "--rtol is ignored"
run --stats -O h5 2>&1 >out | grep -q '^tokenize: ids (2, 13) i64: min ' || echo "--stats says nothing"
run --fail-on-nonfinite -O h5 >out || echo "--fail-on-nonfinite fails for ids"
run -O h5 --no-history | tconv --list | grep -q @history && echo "--no-history has one"
run -O h5 --timestamp | tconv --list | grep -q '@history = 20..-' || echo "--timestamp is ignored"
SOURCE_DATE_EPOCH=86400 run -O h5 | tconv --list | grep -q '@history = 1970-01-02T' || echo "SOURCE_DATE_EPOCH is ignored"
run -O h5 -t 3 --verbose 2>&1 >out | grep -q '^tokenize: 3 threads' || echo "-t 3 is not said"
run -O h5 --progress 2>&1 >out | grep -q '^tokenize: done in ' || echo "--progress says nothing"
if run -O h5 --progress --no-progress >out 2>&1; then echo "--progress with --no-progress is accepted"; fi
run --dry-run -o none.h5 | grep -q '^write  ids  (2, 13)  i64  208 bytes$' || echo "--dry-run does not show the result"
[ ! -e none.h5 ] || echo "--dry-run wrote"
# Where a table of ids is read, it is read as everywhere.
tconv ids.h5:/ids -O csv --no-header -o ids.csv
tr ',' ';' <ids.csv >semicolons.csv
{ seq -s , 0 12; cat ids.csv; } >named.csv
decode() { tokenize -m "$EXAMPLES/dates" --decode --ids "$@"; }
decode ids.h5 >expected
decode ids.csv --no-header | cmp - expected
decode named.csv --header | cmp - expected || echo "--header is ignored"
decode semicolons.csv --no-header --delim ';' | cmp - expected || echo "--delim is ignored"
decode ids.h5 --slab ids=1:2 | cmp - expected >differs && echo "--slab is ignored"
{ cat ids.csv; seq -s , 0 11 | sed 's/$/,NA/'; } >missing.csv
decode missing.csv --no-header --missing omit | cmp - expected || echo "--missing is ignored"
for what in '--slab input=0:1' '--keep-input' '--keep nothing'; do
  code=0
  # shellcheck disable=SC2086
  run -O h5 $what >out || code=$?
  echo "$what: $code"
done
# Lines of text are no tensors: what asks for them is a mistake, and -o gets the text.
for what in '--check ids.h5' '--keep x' --keep-input; do
  code=0
  # shellcheck disable=SC2086
  run $what >out 2>errors || code=$?
  [ $code -eq 2 ] && grep -q 'is for tensors' errors || echo "text $what: exit code $code, $(cat errors)"
done
run --dry-run | grep -q '^memory  about' || echo "--dry-run of text: $(run --dry-run)"
run >expected
decode ids.h5 >expected
decode ids.h5 -o decoded.txt
cmp decoded.txt expected
