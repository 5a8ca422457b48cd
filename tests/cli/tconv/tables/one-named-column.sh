# A vector has one column, whose name stays with it.
printf '# shape=3 dtype=f64\nheight\n1\n2\n3\n' >v.csv
tconv v.csv -O csv | cmp - v.csv
tconv v.csv | tconv -:/table -O csv | cmp - v.csv
tconv 'v.csv:/table[1:]' -O csv
printf '# shape=2,1,2 dtype=f64\na,b\n1,2\n3,4\n' >cube.csv
tconv cube.csv -O csv | cmp - cube.csv
tconv 'cube.csv[:,:,::-1]' -O csv
sed s/height/width/ v.csv >w.csv
echo "-- joined"
tconv v.csv v.csv --concat 0 -O csv
tconv v.csv w.csv --concat 0 -O csv | head -n 2
tconv v.csv w.csv --stack 1 -O csv
tconv v.csv w.csv --stack 0 -O csv
tconv v.csv --split 0 --parts 3 -O csv
