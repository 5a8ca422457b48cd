# What cannot be drawn is said in one line.
tplot --curves --scatter 3xf64=1,2,3 || echo $?
tplot str=a,b || echo $?
tplot --scatter -x 2xf64=1,2 3xf64=1,2,3 || echo $?
tplot 3xf64=1,2,3 --size huge || echo $?
# Nothing but NaN, or nothing at all.
tplot 3xf64=nan,nan,nan || echo $?
tplot 2x2xf64=nan,nan,nan,nan -o map.png || echo $?
tplot --scatter -x 2xf64=nan,1 2xf64=1,nan -o points.png || echo $?
tplot 0xf64= || echo $?
