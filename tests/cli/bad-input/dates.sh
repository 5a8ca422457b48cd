# Dates that are not read are refused with the command that makes them readable, which does.
. "$SUPPORT/try.sh"
for cell in 03/04/2021 13/04/2021 4/13/2021 3.4.21 2021/03/04 2021.3.4 2021-03 '4 March 2021' '"March 4, 2021"' 'Mar 2021' \
  04-Mar-21 '"Thu, 4 Mar 2021 05:06"' '2021-03-04 05:06 PM' 2021-W09 2021-064 'March 4' 12:30; do
  printf 'day,y\n%s,1\n%s,2\n' "$cell" "$cell" >d.csv
  try nwreg -x d.csv:/day -y d.csv:/y --bandwidth 1 -O csv
done
echo '-- what the commands write'
for cell in 13/04/2021 03/04/2021 04/13/2021 3.4.21 2021/03/04 2021.3.4 2021-03 '4 March 2021' '"March 4, 2021"' 'Mar 2021' \
  04-Mar-21 '"Thu, 4 Mar 2021 05:06"' '2021-03-04 05:06 PM' 2021-W09 2021W53 2021-064; do
  printf 'day\n%s\n' "$cell" >d.csv
  command=$(softmax d.csv:/day -O csv 2>&1 | sed 's/.*expected numbers; //; s/ writes .*//')
  sh -c "$command" | tail -n 1 | tee made.csv
  softmax made.csv -O csv --quiet >sum.csv
done
echo '-- cells among dates'
for cell in 2021-02-30 2100-02-29 2021-13-01 '2021-03-04 24:00' 2016-12-31T23:59:60Z 12021-03-04 0000-00-00 20210304 soon 03/04/2021 NaT NA ''; do
  printf 'day,y\n2021-03-03,1\n%s,2\n' "$cell" >d.csv
  try softmax d.csv:/day -O csv
done
printf 'day,y\n7,1\n2021-03-04,2\n' >d.csv
try softmax d.csv:/day -O csv
