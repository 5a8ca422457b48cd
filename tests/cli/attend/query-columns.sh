# Queries with names of columns are found by those of the keys, in whatever order and among others, in a shard too.
printf 'age,height,y\n25,170,100\n30,180,110\n45,155,160\n50,150,170\n' >d.csv
printf 'height,id,age\n180,7,30\n150,8,50\n' >new.csv
look() { attend -k d.csv:/age,height -v d.csv:/y --score gaussian --bandwidth 4,8 "$@" 2>&1 || echo "exit $?"; }
look -q 2x2=30,180,50,150 -O csv >want
look -q new.csv --quiet -O csv | diff want -
look -q new.csv -O csv | head -n 1
for i in 1 2; do look -q new.csv --quiet --shard $i/2 -o part-$i.h5; done
tmerge part-1.h5 part-2.h5 -O csv | diff want -
look -q new.csv:/age,height -O csv | diff want -
# By position: names that only count.
printf 'q0,q1\n30,180\n50,150\n' >counted.csv
look -q counted.csv -O csv | diff want -
printf 'age,weight\n30,80\n' >other.csv
look -q other.csv
