# Columns of dates in the other tools: numbers where numbers are wanted, text elsewhere.
printf 'day,y\n2021-03-04,1\n2021-03-05T12:00,2\n2021-03-08 00:00,4\n' >d.csv
tconv d.csv:/day -O csv
tconv d.csv:/day --dtype f64 -o days.h5
tconv --list days.h5
tconv d.csv --dtype f64 -O csv --quiet
tconv d.csv:/day --dtype i32 -O csv || echo $?
tconv d.csv:/day,y -O csv || echo $?
tdiff d.csv:/day days.h5 --quiet
tdiff d.csv d.csv
softmax d.csv:/day -O csv --precision 4
attend --score gaussian --bandwidth 1 -q d.csv:/day -k d.csv:/day -v d.csv:/y -O csv --precision 4 --quiet
attend --normalize hard -q str=2021-03-04 -k d.csv:/day -v d.csv:/day
# Dates in the first row are data above other dates and alone; above numbers they are names.
printf '2021-03-04,1\n2021-03-05,2\n' >rows.csv
tconv rows.csv:/0 --dtype f64 -O csv --quiet
echo 2021-03-04 | softmax -O csv --quiet
printf 'city,2021-03-04,2021-03-05\nOslo,1,2\n' >wide.csv
tconv wide.csv:/2021-03-05 -O csv
# Through a pipe, and in blocks of rows.
seq 0 86400 259113600 | sed 's/^/@/' | date -u -f - +%F >long.csv
softmax -O csv --precision 3 --quiet <long.csv | tail -n 1
tconv long.csv --dtype f64 -O csv --quiet | sed -n '2p;$p'
