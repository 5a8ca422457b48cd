# The columns of a range or a pattern are matched by their names, in whatever order; those of a list are in its order.
cat >d.csv <<'END'
city,e1,e2,y
A,1,4,1
B,2,2,3
A,3,1,2
END
printf 'e2,y,e1,city\n4,0,1,A\n1,0,2,B\n' >q.csv
fit() { nwreg -y d.csv:/y --bandwidth 1,2 -O csv "$@"; }
fit -x d.csv:/e1,e2 -q q.csv:/e1,e2 >want
for queries in 'q.csv:/e*' q.csv:/e2-e1 q.csv:/0-2; do fit -x 'd.csv:/e*' -q "$queries" --quiet | diff want -; done
fit -x d.csv:/e1-e2 -q q.csv:/e2,e1 | tdiff - want || echo 'a list is in its order'
tconv d.csv:/e1,e2 -o d.h5:/x
tconv q.csv:/e2,y,e1 -o q.h5:/x
fit -x 'd.h5:/x/e*' -q 'q.h5:/e*' | diff want -
# Words and numbers.
categories() { nwreg -x d.csv:/city-e2 -y d.csv:/y --bandwidth 0.1,1,2 -O csv "$@"; }
categories -q q.csv:/city,e1,e2 >want
for queries in q.csv q.csv:/0-3 'q.csv:/[ce]*'; do categories -q "$queries" --quiet | diff want -; done
tdiff 'd.csv:/e*' 'q.csv:/e*' --slab 0:1
tdiff d.csv:/e1,e2 q.csv:/e2,e1 --slab 0:1 || echo 'here, too'
