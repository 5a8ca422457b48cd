# Positions between whole numbers, as times of diffusion models are: sine and cosine of p and p / 100, and the turn by p.
posenc 3x4=0 --positions 3=0,0.5,999.25 -O csv --no-header >y.csv
awk 'BEGIN { split("0 0.5 999.25", p, " "); for (i = 1; i <= 3; i++)
  printf "%.15g,%.15g,%.15g,%.15g\n", sin(p[i]), cos(p[i]), sin(p[i] / 100), cos(p[i] / 100) }' >expected.csv
tdiff --atol 1e-13 y.csv expected.csv
posenc 3x4xf32=0 --positions 3xf32=0,0.5,999.25 -O csv --no-header >y.csv
tdiff --atol 1e-7 y.csv expected.csv
posenc 2x2=1,0,1,0 --kind rotary --positions 2=0.5,-1.25 -O csv --no-header >y.csv
awk 'BEGIN { printf "%.15g,%.15g\n%.15g,%.15g\n", cos(0.5), sin(0.5), cos(1.25), -sin(1.25) }' >expected.csv
tdiff --atol 1e-14 y.csv expected.csv
# Rows of a table have whole numbers; what is no number is none of a position either.
posenc 2x2=1,0,1,0 --kind learned -w 3x2=1,2,3,4,5,6 --positions 2=0,1.5 || echo "exit code $?"
posenc 2x2=1,0,1,0 --positions 2=0,nan || echo "exit code $?"
posenc 2x2=1,0,1,0 --kind learned -w 3x2=1,2,3,4,5,6 --positions 2=0,2 -O csv --no-header
