# Dates are days where numbers are wanted, and dates again along with the result in a table.
printf 'day,city,t\n2021-03-04,Oslo,1\n2021-03-05,Oslo,2\n2021-03-08,Bergen,4\n' >d.csv
nwreg -x d.csv:/day -y d.csv:/t --bandwidth 2 --kernel boxcar --with-query -O csv
# A column of several: words, dates and numbers side by side.
nwreg -x d.csv:/day,t -y d.csv:/t --bandwidth 2 --kernel boxcar --with-query -O csv --quiet
nwreg -x d.csv:/day,t -y d.csv:/t --bandwidth 2 --kernel boxcar --with-query --quiet -o fit.h5
tconv --list fit.h5 --select q
nwreg -x d.csv:/city,day -y d.csv:/t --bandwidth 0.5,2 --kernel boxcar --with-query -O csv --quiet
# Times with zones: the queries say more than days.
printf '2021-03-04T12:00+02:00\n2021-03-05 00:00:30.5Z\n' |
  nwreg -x d.csv:/day -y d.csv:/t -q - --bandwidth 2 --kernel boxcar --with-query -O csv --quiet
# Days as queries, and dates as categories and labels.
nwreg -x d.csv:/day -y d.csv:/t -q 1x1=18690 --bandwidth 2 --kernel boxcar --with-query -O csv --quiet
nwreg -x d.csv:/day -y d.csv:/t --categorical day --bandwidth 0 --with-query -O csv
nwreg -x d.csv:/t -y d.csv:/day --classify --bandwidth 0.1 --with-query -O csv
# Missing dates.
printf 'day,t\n2021-03-04,1\n,3\nNA,3\n2021-03-05,2\n' >missing.csv
nwreg -x missing.csv:/day -y missing.csv:/t --bandwidth 2 --kernel boxcar --missing omit --with-query -O csv --quiet
# The axis of a picture.
command -v gnuplot >/dev/null || exit 0
nwreg -x d.csv:/day -y d.csv:/t --bandwidth 2 --plot fit.svg -o /dev/null -f --quiet
grep -o '>2021-[-0-9]*<' fit.svg | tr -d '<>'
