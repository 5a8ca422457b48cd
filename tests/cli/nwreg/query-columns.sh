# Queries are found by the names of the columns of x, in whatever order and among others.
cat >d.csv <<'END'
age,height,sex,y
25,170,f,100
30,180,m,110
35,165,f,125
45,155,f,160
50,150,m,170
END
printf 'age,height\n30,180\n50,150\n' >same.csv
printf 'height,age\n180,30\n150,50\n' >turned.csv
printf '# new\nheight\tid\tname\tage\ty\n180\t7\tAnn\t30\t\n150\t8\tBob\t50\t\n' >more.tsv
fit() { nwreg -y d.csv:/y --bandwidth 4,8 -O csv "$@" 2>&1 || echo "exit $?"; }
numbers() { fit -x d.csv:/age,height "$@"; }
# The formula.
awk -F, 'NR == FNR && FNR > 1 { x[++n] = $1; z[n] = $2; y[n] = $4 }
  NR > FNR && FNR == 1 { print "y" }
  NR > FNR && FNR > 1 { sum = mean = 0
    for (i = 1; i <= n; i++) { w = exp(-((($1 - x[i]) / 4) ^ 2 + (($2 - z[i]) / 8) ^ 2) / 2); sum += w; mean += w * y[i] }
    printf "%.10g\n", mean / sum }' d.csv same.csv >want
numbers -q same.csv --precision 10 | diff want -
numbers -q same.csv >want
numbers -q turned.csv | diff want -
numbers -q - <turned.csv | diff want -
numbers -q 'turned.csv[0:1]' | diff - want | grep -c '^[<>]'
numbers -q turned.csv --slab q=0:2 | diff want -
numbers -q more.tsv --quiet | diff want -
numbers -q more.tsv | head -n 1
nwreg -x d.csv:/age,height -y d.csv:/y --bandwidth 4,8 -q turned.csv --with-query -o y.h5
tconv y.h5:/q -O csv
# Matrices and records of HDF5 have names too.
tconv turned.csv -o turned.h5:/q
tconv d.csv:/height,age -o d.h5:/x
numbers -q turned.h5 | diff want -
fit -x d.h5:/x/age,height -q "turned.h5:/q[0:2]" | diff want -
nwreg -x d.h5:/x -y d.csv:/y --bandwidth 8,4 -q same.csv -O csv | tdiff - want --rtol 1e-14
# Categories.
printf 'sex,age\nm,30\nf,50\n' >sex.csv
printf 'age,sex\n30,m\n50,f\n' >age.csv
nwreg -x d.csv:/age,sex -y d.csv:/y --bandwidth 4,0.2 -q age.csv:/age,sex -O csv >with
for q in sex.csv age.csv; do nwreg -x d.csv:/age,sex -y d.csv:/y --bandwidth 4,0.2 -q $q -O csv | diff with -; done
# One of the columns; and sums over parts of the samples.
nwreg -x d.csv:/age -y d.csv:/y --bandwidth 4 -q turned.csv --quiet -O csv >with
nwreg -x d.csv:/age -y d.csv:/y --bandwidth 4 -q 2xf64=30,50 -O csv | diff with -
for i in 1 2; do numbers -q turned.csv --emit state --shard $i/2 -O h5 -o part-$i.h5; done
tmerge part-1.h5 part-2.h5 -O csv | tdiff - want --rtol 1e-14
# Without names, and where the operand chooses columns, the order is meant, even that of heights taken for ages.
numbers -q 2x2=30,180,50,150 | diff want -
numbers -q same.csv --header | diff want -
sed 1d same.csv >bare.csv
numbers -q bare.csv | diff want -
numbers -q turned.csv:/height,age --empty nan
numbers -q 'turned.csv[:,0:2]' --empty nan
printf 'a,h\n30,180\n50,150\n' >other.csv
numbers -q other.csv:/a,h | diff want -
nwreg -x d.csv:/age -y d.csv:/y --bandwidth 4 -q other.csv:/a -O csv | diff with -
printf 'q0,q1\n30,180\n50,150\n' >counted.csv
numbers -q counted.csv | diff want -
# What is missing is named.
numbers -q other.csv
printf 'Age,height\n30,180\n' >case.csv
numbers -q case.csv
printf 'age,age,height\n30,31,180\n' >twice.csv
numbers -q twice.csv
# Names that an operand cannot contain.
printf '"a,b","c[1]",km/h\n1,2,3\n2,3,5\n3,1,2\n' >odd.csv
printf 'km/h,id,"c[1]","a,b"\n3,7,2,1\n5,8,3,2\n2,9,1,3\n' >turned.csv
nwreg -x odd.csv -y 3=1,2,5 --bandwidth 1 >want
nwreg -x odd.csv -y 3=1,2,5 --bandwidth 1 -q turned.csv --quiet | tdiff - want
