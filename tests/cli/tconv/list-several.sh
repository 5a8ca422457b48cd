# --list of several inputs says which is which; of one it does not.
printf 'a,b\n1,2\n' >t.csv
tconv 2=1,2 --no-history -o x.h5
tconv --list x.h5
echo "-- several"
tconv 1=7 --no-history | tconv --list x.h5 't.csv[:,1]' - x.h5:/y
echo "-- json"
tconv --list --json x.h5 t.csv | grep '"file"'
