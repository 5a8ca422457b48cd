# A table holds what f32 elements round to in their shortest digits and is read as f64: the two numbers are told apart,
# and what helps is said, which does.
. "$SUPPORT/try.sh"
tconv 2x2xf32=0.1,0.2,0.3,0.5 -o x.h5
tconv x.h5 -o x.csv
try tdiff x.h5 x.csv
try tdiff x.csv x.h5
tdiff x.h5 x.csv --ulp 0
tconv x.h5 --check x.csv --rtol 1e-7 --verbose 2>&1 >/dev/null | tail -n 1
try tdiff --json x.h5 x.csv | grep '"[ab]": "0'
try tdiff 2xbf16=0.1,0.3 2xf32=0.1,0.3
try tdiff 2xf32=0.1,0.3 2=0.1,0.30000002
try tdiff 2xi64=1,9007199254740993 2=1,9007199254740992
tconv x.h5 --check x.csv 2>&1 >/dev/null || echo "exit code $?"
