# Parts of tables, side by side in a table again, have names by which each column can be told from the others.
printf 'a,b,c,d\n1,2,3,4\n5,6,7,8\n' >n.csv
printf 'name,age,age\nAnn,3,1\nBob,4,2\n' >m.csv
split() { tconv "$@" -O csv; }
split n.csv --split 0
split n.csv --split 0 --parts 2
split n.csv --split 1 --parts 2
split m.csv --split 0 --parts 2
split m.csv --split 1
split n.csv --split 0 --parts 2 >parts.csv
tdiff parts.csv:/table/1/c 1x1=7
# Those of one table stay as they are, also where two have one name; those of two tensors say whose they are.
split m.csv
tconv n.csv --rename table=x -o both.h5
tconv n.csv --slab :,1:3 --rename table=y -A -o both.h5
split both.h5
