# The names of columns go where their columns go; what is joined keeps the attributes in which all agree.
printf 'a,b,c\n1,2,3\n4,5,6\n' >c.csv
tconv 'c.csv[:,::-1]' -O csv
tconv c.csv --slab ':,1:' -O csv
tconv c.csv | tconv '-:/table[1:,::2]' -O csv
tconv 'c.csv[:,1]' -O csv
tconv c.csv c.csv --concat 0 -O csv
tconv 'c.csv[:,:2]' 'c.csv[:,2:]' --concat 1 -O csv
printf 'a,b,d\n7,8,9\n' >d.csv
tconv c.csv d.csv --concat 0 -O csv
tconv c.csv --split 1 --parts 3 | tconv --list --select '*/*'
tconv c.csv --split 0 | tconv --list --select '*/*'
tconv c.csv c.csv c.csv --stack 2 | tconv --list --select table
echo "-- by name"
printf 'c,a,b\n9,7,8\n' >e.csv
tconv c.csv e.csv --concat 0 -O csv
tconv 'c.csv[:1]' e.csv --stack 0 | tconv -:/table[1] -O csv
tconv e.csv c.csv --concat 0 -O csv
tconv c.csv e.csv --concat 0 --quiet | tconv - e.csv --concat 0 -O csv
printf 'a,a,b\n1,2,3\n' >f.csv
printf 'a,b,a\n1,2,3\n' >g.csv
tconv f.csv g.csv --concat 0 -O csv
echo "-- one by one"
tconv c.csv --split 1 -O csv
tconv 'c.csv[0]' -O csv
