# (L, d) is one head of one sequence; with --heads (L, H * d) is all heads of one.
posenc --kind rotary 2x4=1,2,3,4,5,6,7,8 -o y.h5
posenc --kind rotary 2x4=1,2,3,4,5,6,7,8 --positions 2xi64=0,1 | tdiff - y.h5
tconv 2x4=1,2,3,4,5,6,7,8 --reshape 1,1,2,4 | posenc --kind rotary | tconv --reshape 2,4 | tdiff - y.h5
posenc --kind rotary --heads 2 2x4=1,2,3,4,5,6,7,8 -o two.h5
tconv 2x4=1,2,3,4,5,6,7,8 --reshape 1,2,4 | posenc --kind rotary --heads 2 | tconv --reshape 2,4 | tdiff - two.h5
posenc 2x4=1,2,3,4,5,6,7,8 --positions 2xi64=0,1 --offset 3 2>&1 || echo "exit $?"
