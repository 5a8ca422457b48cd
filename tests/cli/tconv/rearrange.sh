# --slab, --transpose, --axes, --reshape, --dtype: each is undone by its opposite, and changes what it should.
tconv linspace=0,23,24 --reshape 2,3,4 -o x.h5
tdiff x.h5:/y[1,2,3] 23
tconv x.h5 --transpose | tconv --transpose | tdiff - x.h5
tconv x.h5 --transpose | tdiff -:/y[1,3,2] 23
tconv x.h5 --axes 2,0,1 | tconv --axes 1,2,0 | tdiff - x.h5
tconv x.h5 --axes 2,0,1 | tdiff -:/y[3,1,2] 23
tconv x.h5 --axes -1,-3,-2 | tdiff -:/y[3,1,2] 23
tconv x.h5 --reshape 6,-1 | tdiff -:/y[5,3] 23
tconv x.h5 --slab 1,::2,-1 | tdiff - 2=15,23
tconv x.h5 --dtype i32 | tconv --list | grep -c '  i32$'
for mistake in '--axes 0,1' '--axes 0,0,1' '--axes 0,1,7' '--reshape 5,5' '--reshape -1,-1' '--slab 9' '--stack 9' '--dtype u8 --slab 0,0,0:1 --reshape 2'; do
  code=0
  tconv x.h5 $mistake 2>/dev/null || code=$?
  echo "$mistake: $code"
done
