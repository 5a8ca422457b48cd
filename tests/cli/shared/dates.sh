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
echo "-- the basic format"
printf '%s\n' day 20210304T050600Z 2021-03-04T0506 '2021-03-04 05:06z' 20210304T0606+0100 >basic.csv
tconv basic.csv --dtype f64 -O csv --quiet | uniq -c
echo "-- dates as literals"
tconv 2021-03-06 --dtype i32 -O csv
tconv linspace=2021-03-01,2021-03-31,4 --dtype i32 -O csv
nwreg -x d.csv:/day -y d.csv:/y -q linspace=2021-03-04,2021-03-06,3 --bandwidth 1 -O csv --precision 4 --quiet
nwreg -x d.csv:/day -y d.csv:/y -q 2021-03-05T00:00 --bandwidth 1 -O csv --precision 4 --quiet
nwreg -x "$FIXTURES/hdf5/netcdf-station.nc:/time" -y 4=1,2,3,4 -q 2000-01-02 --bandwidth 1 -O csv 2>&1 | sed "s|$FIXTURES/||"
echo "-- U+2212 is a minus sign too"
printf '%s\n' day 2021-03-04T05:06−02:00 2021-03-04T05:06-02:00 | tconv --dtype f64 -O csv --quiet | uniq -c
echo "-- dates come back, and what numbers beside dates count is said"
nwreg -x d.csv:/day -y d.csv:/y -q linspace=2021-03-04,2021-03-06,3 --bandwidth 1 --with-query -O csv --precision 4 --quiet
nwreg -x d.csv:/day -y d.csv:/y -q 2021-03-05 --bandwidth 1 --with-query -o literal.h5 --quiet
tconv literal.h5:/q --dtype f64 -O csv
tconv literal.h5 --list --json --select q | grep -o 'days since 1970-01-01'
nwreg -x d.csv:/day -y d.csv:/y -q 2021 --bandwidth 1 -O csv --precision 4
tconv linspace=2021-01-01,20,3 -O csv || echo $?
if command -v gnuplot >/dev/null; then
  tplot -x linspace=2021-03-01,2021-03-31,4 4=1,2,3,4 --size 79x12 --quiet | grep -o '2021-03' | uniq
else
  echo 2021-03
fi
echo "-- f32 has 24 bits"
tconv basic.csv --dtype f32 -o f32.h5
tconv d.csv:/day --dtype bf16 -o bf16.h5
tconv basic.csv --dtype f64 --quiet -o f64.h5
tconv f64.h5 --dtype f32 -o again.h5
printf 'day\n2021-03-04\n' | tconv --dtype f32 -o whole.h5
