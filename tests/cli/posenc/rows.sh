# Offset, positions and a learned table choose rows of one table; base and dim shape it.
L=$FIXTURES/layers/layers.h5
posenc --length 12 --dim 8 -o table.h5
posenc --length 4 --dim 8 --offset 5 -o part.h5
tdiff part.h5 table.h5:/y[5:9]
posenc $L:/x -o a.h5
posenc $L:/x --kind learned -w table.h5 -o b.h5
tdiff a.h5 b.h5
posenc $L:/x --offset 3 -o c.h5
posenc $L:/x --kind learned -w table.h5 --offset 3 -o d.h5
tdiff c.h5 d.h5
posenc $L:/x[1:] --positions $L:/positions[1:] -o e.h5
posenc $L:/x[1:] --kind learned -w table.h5 --positions $L:/positions[1] -o f.h5
tdiff e.h5 f.h5
posenc $L:/x[1:,2:3] --offset 4 | tdiff - e.h5:/y[:,2:3]
posenc --kind learned -w table.h5 --length 2 --offset 1 | tdiff - table.h5:/y[1:3]
posenc --length 2 --dim 2 --base 100 -O csv
posenc --length 2 --dim 4 --base 100 --precision 4 -O csv
posenc --length 2 --dim 3 --columns halves --base 100 --precision 4 -O csv
