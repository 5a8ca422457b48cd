# What is wrong is called by its name.
echo "-- bytes behind an array"
tconv 3=1,2,3 -O npy -o n.npy
printf abc >>n.npy
tconv n.npy -o n.h5 || echo "exit code $?"
printf '\223NUM' >>n.npy
tconv --list n.npy || echo "exit code $?"
echo "-- axes"
{ printf '# shape=1' && yes ,1 | head -n 64 | tr -d '\n' && printf '\n1\n'; } >axes.csv
tconv --list axes.csv || echo "exit code $?"
echo "-- decimal commas"
printf 'a|b\n1|1.000,5\n2|-2.345.678,25\n' >german.csv
tconv german.csv --delim '|' || echo "exit code $?"
printf '1.000,5|1\n' >first.csv
tconv first.csv --delim '|' || echo "exit code $?"
printf 'a|b\n1|1.00,5\n2|x\n' >text.csv
tconv text.csv --delim '|' --list
[ ! -e n.h5 ]
