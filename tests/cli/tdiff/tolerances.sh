# Without a tolerance values must be equal; --rtol, --atol and --ulp say how close is close.
try() {
  code=0
  tdiff "$@" >/dev/null || code=$?
  echo "$code: $*"
}
try 3=1,2,3 3=1,2,3
try 3=1,2,3 3xf32=1,2,3
try 3=1,2,3 3xi64=1,2,3
try 2=0,nan 2=-0,nan
try 1=inf 1=-inf
try 1=nan 1=1
try 1=nan 1=1 --atol 1e9 --rtol 1e9
try 1=100 1=101
try 1=100 1=101 --atol 0.9
try 1=100 1=101 --atol 1
try 1=100 1=101 --rtol 0.0098
try 1=100 1=101 --rtol 0.01
try 1=1 1=1.0000000000000002
try 1=1 1=1.0000000000000002 --ulp 1
try 1=1 1=1.0000000000000007 --ulp 2
try 1=1 1=1.0000000000000007 --ulp 3
try 1xf32=1 1=1.0000000001 --ulp 0
try 1xi64=9007199254740993 1xi64=9007199254740992
try str=a,b str=a,b
try str=a,b str=a,c
try 2=1,2 1x2=1,2
