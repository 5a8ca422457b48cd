# Columns of words beside columns of numbers: none of them is the default, also where one is called x or y.
exec 2>&1
printf '"","x","y"\n"1",1,2\n"2",3,4\n' >r.csv
softmax r.csv -O csv || echo "exit code $?"
softmax r.csv:/x,y -O csv
printf 'x,y\n"1",2\n"3",4\n' | softmax -O csv || echo "exit code $?"
