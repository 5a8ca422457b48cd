# What cannot be drawn is said in one line.
tplot --curves --scatter 3xf64=1,2,3 || echo $?
tplot str=a,b || echo $?
tplot --scatter -x 2xf64=1,2 3xf64=1,2,3 || echo $?
tplot 3xf64=1,2,3 --fit 3xf64=1,2,3 || echo $?
tplot 3xf64=1,2,3 --size huge || echo $?
# An operand that the kind of picture would not read is a mistake.
tplot --scatter 3xf64=1,2,3 --fit-x 3xf64=1,2,3 || echo $?
tplot 2x2xf64=1,2,3,4 -x 2xf64=1,2 || echo $?
tplot --histogram 3xf64=1,2,3 -x 3xf64=1,2,3 || echo $?
tplot --curves 2x2xf64=1,2,3,4 --row-labels str=a,b || echo $?
tplot --histogram 3xf64=1,2,3 --column-labels str=a || echo $?
# Nothing but NaN, or nothing at all.
tplot 3xf64=nan,nan,nan || echo $?
tplot 2x2xf64=nan,nan,nan,nan -o map.png || echo $?
tplot --scatter -x 2xf64=nan,1 2xf64=1,nan -o points.png || echo $?
tplot 0xf64= || echo $?
