# Vectors of a table of 16 bits are f32, which they are computed in; --dtype asks for another type. Rows of learned
# positions likewise.
for dtype in bf16 f16; do
  embed 2xi64=1,0 -w 2x2x$dtype=1,2,3,4 --scale 1.1 -f -o y.h5
  embed 2xi64=1,0 -w 2x2xf32=1,2,3,4 --scale 1.1 | tdiff - y.h5 --strict
  embed 2xi64=1,0 -w 2x2x$dtype=1,2,3,4 -n | grep write
  embed 2xi64=1,0 -w 2x2x$dtype=1,2,3,4 --dtype $dtype --no-history | tconv --list
  posenc --kind learned -w 2x2x$dtype=1,2,3,4 --length 2 -n | grep write
  posenc --kind learned -w 2x2x$dtype=1,2,3,4 --length 2 | tdiff - 2x2xf32=1,2,3,4 --strict
done
