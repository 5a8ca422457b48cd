# Whole numbers of 64 bits are compared exactly, with floats and with those of another sign too.
differ() {
  code=0
  tdiff "$@" || code=$?
  [ $code -eq 1 ] || echo "$*: exit code $code"
}
differ i64=9007199254740993 i64=9007199254740992
differ i64=9007199254740993 f64=9007199254740992
differ u64=18446744073709551615 f64=18446744073709551616
differ u64=9007199254740993 i64=9007199254740992 --ulp 0
differ i64=-1 u64=18446744073709551615
tdiff u64=9007199254740993 i64=9007199254740993 --ulp 0
tdiff i64=9007199254740992 f64=9007199254740992
tdiff i64=9007199254740993 f64=9007199254740992 --atol 1
code=0
tconv i64=9007199254740993 --check f64=9007199254740992 -o y.h5 || code=$?
echo "--check: exit code $code"
# A table of text that says no dtype is read as whole numbers beside them, on either side and in part.
printf '9007199254740993,1\n18014398509481985,-3\n' >plain.csv
tconv plain.csv --dtype i64 -o exact.h5:/y
tdiff exact.h5 plain.csv
tdiff plain.csv exact.h5
tdiff 'exact.h5:/y[1]' 'plain.csv[1]'
tdiff plain.csv:/0 'exact.h5:/y[:,0:1]'
tconv exact.h5 --check plain.csv -O npy >y.npy
printf '9007199254740992,1\n18014398509481985,-3\n' >other.csv
differ exact.h5 other.csv
differ 'other.csv[0]' 'exact.h5:/y[0]'
tconv exact.h5 --check other.csv -O npy >y.npy || echo "--check: exit code $?"
# They are floats where the table says so, and then types differ too.
(echo '# dtype=f64' && cat plain.csv) >floats.csv
differ --strict exact.h5 floats.csv
sed 's/-3/-3.5/' floats.csv >mixed.csv
differ exact.h5 mixed.csv
tdiff --strict exact.h5 plain.csv
