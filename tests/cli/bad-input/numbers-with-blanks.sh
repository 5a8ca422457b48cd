# Ids of a text line by line are no header, though none of their cells is a number; a quoted name is one.
exec 2>&1
printf '12 4 31\n7 8 9\n' >ids.txt
tconv ids.txt -o ids.h5 || echo "$?"
tconv --delim ' ' ids.txt -O csv
tconv --header ids.txt -O csv || echo "$?"
tconv --header --delim , ids.txt -O csv
printf '"12 4"\n1\n' | tconv -O csv
printf '1,2\n' >table.csv
nwreg -y table.csv || echo "$?"
