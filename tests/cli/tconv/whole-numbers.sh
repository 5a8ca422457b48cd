# Whole numbers beyond 2^53 keep every digit from text to HDF5 and back, where --dtype or a comment asks for them.
printf 'a,b\n9007199254740993,-9223372036854775807\n18014398509481985,3\n' >x.csv
tconv x.csv --dtype i64 -o x.h5
tconv x.h5 -O csv | cmp - x.csv
(echo '# dtype=i64' && cat x.csv) >commented.csv
tconv commented.csv -o y.h5
tconv y.h5 -O csv | cmp - x.csv
printf 'u\n18446744073709551615\n' | tconv --dtype u64 -O csv
printf 'c,n\nw,9007199254740993\n' | tconv -:/n --dtype i64 -O csv
# However they are written, they are whole; nothing is rounded to be so.
printf 'a\n1e3\n3.0\n+7\n-0\n' | tconv --dtype i32 -O csv
for cell in 1.5 9007199254740993.0 1e30 2147483648 NA; do
  code=0
  printf 'a\n%s\n' "$cell" | tconv --dtype i32 -O csv || code=$?
  [ $code -eq 65 ] || echo "$cell: exit code $code"
done
printf 'a\n1\nNA\n2\n' | tconv --dtype i64 --missing omit -O csv
