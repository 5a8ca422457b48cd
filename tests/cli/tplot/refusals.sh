# What cannot be drawn is said in one line.
tplot --curves --scatter 3xf64=1,2,3 || echo $?
tplot str=a,b || echo $?
tplot --scatter -x 2xf64=1,2 3xf64=1,2,3 || echo $?
tplot 3xf64=1,2,3 --fit 3xf64=1,2,3 || echo $?
tplot 3xf64=1,2,3 --size huge || echo $?
