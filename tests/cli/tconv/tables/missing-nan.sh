# --missing omit leaves out the rows of NaN however it is written, and --missing nan reads it.
printf 'a,b\n1,NAN\n2,-nan\n3,nan\n5,Nan\n6,"+NaN"\n7, nan\n8,"NaN "\n3,4\n' >numbers.csv
tconv numbers.csv --missing omit -O csv
tconv numbers.csv --missing nan -O csv | tail -n 2
