# Of integers --ulp allows differences as large as its number.
tdiff 3xi32=1,2,-3 3xi32=1,5,-4 --ulp 3
tdiff 3xi32=1,2,-3 3xi32=1,5,-4 --ulp 2 || echo $?
tdiff 2xi64=9007199254740993,1 2xu64=9007199254740992,1 --ulp 1
tdiff 2xi64=9007199254740993,1 2xu64=9007199254740992,1 --ulp 0 || echo $?
