# Samples and queries that count times in different units are refused, here and in attend.
. "$SUPPORT/try.sh"
cp "$FIXTURES/hdf5/times.h5" .
printf 'when\n2000-01-01\n2000-01-02\n' >when.csv
try nwreg -x times.h5:/hours -y times.h5:/in_hours -q when.csv --bandwidth 10
try nwreg -x times.h5:/hours -y times.h5:/in_hours -q when.csv --bandwidth 10 --shard 1/2 --emit state -o part.h5
try attend -q when.csv:/when -k times.h5:/hours -v times.h5:/in_hours
try nwreg -x times.h5:/hours -y times.h5:/in_hours -q 'times.h5:/hours[:2]' --bandwidth 10 -O csv --no-header
