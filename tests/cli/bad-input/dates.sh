# Dates that are not read are refused with the command that makes them readable, which does.
. "$SUPPORT/try.sh"
for cell in 03/04/2021 13/04/2021 4/13/2021 3.4.21 99-12-31 2021/03/04 2021.3.4 2021-03 '4 March 2021' '"March 4, 2021"' 'Mar 2021' \
  04-Mar-21 '"Thu, 4 Mar 2021 05:06"' '2021-03-04 05:06 PM' 2021-W09 2021-064 'March 4' 12:30 \
  2021Q1 'Q1 2021' 2021M01 2021H2 Mar-21 2021-03-04_05-06-07 2021-03-04Z 2021-03-04T05.5 '20210304 0506' \
  '2021 03 04' '2021:03:04 05:06:07' 12/2021 2021-13; do
  printf 'day,y\n%s,1\n%s,2\n' "$cell" "$cell" >d.csv
  try nwreg -x d.csv:/day -y d.csv:/y --bandwidth 1 -O csv
done
echo '-- what the commands write'
for cell in 13/04/2021 03/04/2021 04/13/2021 3.4.21 4.3.99 2021/03/04 '2021/03/04 05:06:07.25' 2021.3.4 2021-03 \
  '4 March 2021' '"March 4, 2021"' 'Mar 2021' 04-Mar-21 '"Thu, 4 Mar 2021 05:06"' 2021-W09 2021-W09-4 2020W53 2021-064 \
  2021Q1 2021-Q2 'Q3 2021' Q4/2021 2021M01 2021-M12 2021H2 'H1 2021' 2021-03-04_05-06-07 2021-03-04T05:06:07:125 \
  2021-03-04Z 2021-03-04+01:00; do
  printf 'day,y\n%s,5555-123\n' "$cell" >d.csv
  command=$(softmax d.csv:/day -O csv 2>&1 | sed 's/.*expected numbers; //; s/ writes .*//')
  sh -c "$command" | tee made.csv | tail -n 1
  softmax made.csv -O csv --quiet >sum.csv
done
echo '-- a week and a day that the year has not, both orders, and the column decides'
made() { # FILE OPTION...
  command=$(softmax "$@" -O csv 2>&1 | tail -n 1 | sed 's/.*expected numbers; //; s/.* in column .day.; //; s/ writes .*//')
  sh -c "$command" 2>notes
}
printf '%s\n' day 2021-W52-7 2021-W53-7 >d.csv
made d.csv
printf '%s\n' day 2020-366 2021-366 >d.csv
made d.csv
printf '%s\n' day 03/04/2021 '' 04/13/2021 >d.csv
made d.csv:/day --missing nan
printf '%s\n' day 13/04/2021 04/13/2021 >d.csv
try softmax d.csv:/day -O csv
printf 'day,y\n05/03/2021,1\n2021-03-06,2\n13/03/2021,3\n' >d.csv
made d.csv:/day
echo '-- other ways to read, names with blanks, compressed, in HDF5, of several columns'
printf '13/04/2021;1\n14/04/2021;2\n' >'a b.csv'
made 'a b.csv:/0' --delim ';' --no-header
printf 'day,y\n13/04/2021,1\n' | gzip >d.csv.gz
made d.csv.gz:/day
tconv d.csv.gz:/day -o d.h5
made d.h5
tconv str=13/04/2021,14/04/2021 -o list.h5
made list.h5
printf 'a,b\n13/04/2021,14/04/2021\n' >two.csv
try softmax two.csv -O csv
try softmax str=2021-01-05 -O csv
(echo day; yes '' | head -n 1000; echo 2021-03-04) >late.csv
try softmax late.csv --missing nan -O csv
echo '-- cells among dates'
for cell in 2021-02-30 2100-02-29 2021-13-01 '2021-03-04 24:00' 2016-12-31T23:59:60Z 12021-03-04 0000-00-00 20210304 soon 03/04/2021 NaT NA ''; do
  printf 'day,y\n2021-03-03,1\n%s,2\n' "$cell" >d.csv
  try softmax d.csv:/day -O csv
done
printf 'day,y\n7,1\n2021-03-04,2\n' >d.csv
try softmax d.csv:/day -O csv
echo '-- a unit above dates, dates that are not in a table'
for unit in - YYYY-MM-DD UTC; do
  printf 'day,y\n%s,m\n2021-03-04,1\n2021-03-05,2\n' "$unit" >d.csv
  try softmax d.csv:/day -O csv
  sed 2d d.csv | softmax -:/day -O csv --quiet >sum.csv
done
printf '# dtype=string\nday\n2021-03-04T05:06Z\n' >words.csv
try softmax words.csv -O csv
tconv words.csv:/day -o words.h5
try softmax words.h5 -O csv
tconv words.h5 -O csv | softmax -O csv --quiet >sum.csv
