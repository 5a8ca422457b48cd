# A weight stored as (in, out): the error names --transposed where the weight fits so, and with it the map is right.
x=3x4=1,2,3,4,5,6,7,8,9,10,11,12
linear $x -w 4x2=1,2,3,4,5,6,7,8 || echo "exit code $?"
linear $x -w 4x2=1,2,3,4,5,6,7,8 -b 2=1,1 || echo "exit code $?"
linear $x -w 5x2=1,2,3,4,5,6,7,8,9,10 || echo "exit code $?"
linear $x -w 2x4=1,2,3,4,5,6,7,8 --transposed || echo "exit code $?"
linear $x -w 4x2=1,2,3,4,5,6,7,8 --transposed -O csv --no-header
