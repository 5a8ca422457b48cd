# Parts by date: four digits are a year where coordinates are times, and both ends of a range count as far as they are
# given. What is chosen is told in the words of date(1).
t=$FIXTURES/hdf5/times.h5
days() { echo $((($(date -u -d "$2" +%s) - $(date -u -d "$1" +%s)) / 86400)); } # FROM TO
is() {                                                                          # GROUP PART FIRST LAST
  tdiff "$t:/in_$1[$1=$2]" "$t:/in_$1[$3:$(($4 + 1))]" || echo "$1=$2 is not $3 to $4"
}
last=$(days 2000-01-01 2001-12-31)
is days 2001:2002 "$(days 2000-01-01 2001-01-01)" 899
is days 2001 "$(days 2000-01-01 2001-01-01)" "$last"
is days 2000-02 31 59
is days 2000-02-29 59 59
is days 2000-02-29:2000-03 59 "$(days 2000-01-01 2000-03-31)"
is days :2000-01-02 0 1
is days 2002-06: "$(days 2000-01-01 2002-06-01)" 899
is days 2001-12-31:730.5 "$last" "$last"
is days 3:5 3 5
is falling 2000 $((899 - 365)) 899
is falling 2000-01-01:2000-01-03 897 899
is hours 2024-01-02 24 47
is hours 2024-01-02T06 30 30
is hours '2024-01-02 06:00:2024-01-02T08:59' 30 32
is hours 2024-01-02T06:00:00:2024-01-02T08:00:00Z 30 32
is hours :2024-01-01T23 0 23
is minutes 2024-01-02 48 95
is minutes 2024-01-01T05 10 11
is minutes 2024-01-01T05:00:2024-01-01T05 10 11
is seconds 2024-01-02 24 47
is weeks 2023-02 5 8
is fractions 2019-01-13 0 23
is fractions 2019-01-14T07:00 31 31
is reanalysis 1948-01 0 30
# Fewer digits are numbers, and so are four digits elsewhere.
is noleap 3:5 3 5
tdiff "$t:/in_pressure[pressure=1000]" "$t:/in_pressure[0]"
# Without a name of a dataset, and by the only one of a file.
tconv "$t:/days" -o one.h5
tdiff "one.h5[days=2000-03-01]" 1xf32=60
tdiff "one.h5:[days=2000-03-01]" 1xf32=60
for part in days=2030 days=2030:2031-05 days=2001-02-29 noleap=2000:2001 days=2000:800.5 months=2000-05 pressure=2000-01-01; do
  tconv "$t:/in_${part%%=*}[$part]" -O csv 2>&1 | sed "s|$FIXTURES/hdf5/||g"
done
for operand in "$t:/in_days[days=3 Jan 2000]" "$t[days=Jan-2000]"; do
  tconv "$operand" -O csv 2>&1 | sed "s|$FIXTURES/hdf5/||g; s/; it has .*//"
done
