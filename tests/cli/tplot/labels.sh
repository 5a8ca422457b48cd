# Labels are text, percent signs too, and as many as there are rows or columns; bars are as many as one can see.
tplot 2x2xf64=1,2,3,4 --column-labels 'str=50%,100%d' --row-labels 'str=5%,%g' -o picture.svg
grep -o '[0-9%g]*%[dg]*' picture.svg | sort -u
fails() { "$@" 2>&1 >/dev/null && echo "no error" || echo $?; }
fails tplot 2x2xf64=1,2,3,4 --row-labels str=a,b,c -o x.svg
fails tplot --curves 2x2xf64=1,2,3,4 --column-labels str=a -o x.svg
fails tplot --histogram 9xf64=1 --bins 1000000000 -o x.svg
