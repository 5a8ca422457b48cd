# An axis of dates has tics at even times of the calendar.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
labels() {
  tail -n 5 | grep -Eo '[0-9]{4}[-0-9]*|[0-9]+:[0-9:.]+' | paste -s -d' ' -
}
tics() {
  { echo day,y; paste -d, - /dev/null | awk '{ print $0 NR }'; } >d.csv
  tplot -x d.csv:/day d.csv:/y --size "${1:-79x12}" --quiet | labels
}
echo "-- centuries, years, months, weeks, days"
for year in 1850 1900 1950 2020; do echo $year-07-01; done | tics
for year in 2015 2016 2019 2021; do echo $year-07-01; done | tics
printf '%s\n' 2020-11-20 2021-02-01 2021-05-03 | tics
printf '%s\n' 2021-02-01 2021-02-20 2021-03-05 | tics
printf '%s\n' 2021-02-26 2021-03-01 2021-03-02 | tics
printf '%s\n' 2021-02-26 2021-03-01 2021-03-02 | tics 40x12
echo "-- hours, minutes, seconds, parts of them"
printf '%s\n' 2021-02-28T15:00 2021-02-28T20:00 2021-03-01T09:00 | tics
printf '%s\n' 2021-03-01T09:00 2021-03-01T09:40 | tics
printf '%s\n' 2021-03-01T09:00:01 2021-03-01T09:00:14 | tics
printf '%s\n' 2021-03-01T09:00:01.1 2021-03-01T09:00:01.6 | tics
echo 2021-03-01 | tics
echo "-- parts, histograms, columns, times of other files"
seq 0 86400 8640000 | sed 's/^/@/' | date -u -f - +%F | tics
tplot -x d.csv:/day d.csv:/y --x-range 1970-02-01:1970-02-15 --size 79x12 --quiet | labels
tplot -x d.csv:/day d.csv:/y --x-range 1970-02:1970-03 --size 79x12 --quiet | labels
tplot -x d.csv:/day d.csv:/y --x-range 1970-03: --size 79x12 --quiet | labels
tplot --histogram d.csv:/day --size 79x12 --quiet | labels
tplot d.csv:/day --size 79x12 --quiet | grep -o '19[-0-9]*' | paste -s -d' ' -
nwreg -x d.csv:/day -y d.csv:/y --bandwidth 9 --with-query --quiet -o fit.h5
tplot -x fit.h5:/q fit.h5:/y --size 79x12 | labels
echo "-- refused"
tplot -x d.csv:/day d.csv:/y --x-range 2021-02-30: 2>&1 || echo $?
tplot -x d.csv:/day d.csv:/y --x-range :2021-13 2>&1 || echo $?
