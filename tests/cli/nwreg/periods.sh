# A column that comes round: the shorter way counts, in fits, slopes, leave one out, neighbours and searches.
. "$SUPPORT/try.sh"
# The first row of every result is left away.
printf 'direction,speed\n350,1\n355,2\n5,4\n90,8\n180,16\n' >d.csv
for period in direction=360 360 0=360; do
  nwreg -x d.csv:/direction -y d.csv:/speed -q 2xf64=0,720 --kernel boxcar --bandwidth 12 --period $period -O csv | sed 1d
done
# As copies of a round on either side, where windows are narrower than a round.
nwreg -x '24xf64=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23' \
      -y '24xf64=3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3,2,3,8,4,6,2,6,4' -q 5xf64=0.2,6,12.7,23.5,47.5 --period 24 \
      --kernel tricube --degree 1 --bandwidth 5 --derivative --emit se -o round.h5
i=-24
while [ $i -lt 48 ]; do echo $i; i=$((i + 1)); done >x.csv
for copy in 1 2 3; do printf '%s\n' 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 2 3 8 4 6 2 6 4; done >y.csv
nwreg -x x.csv -y y.csv -q 5xf64=0.2,6,12.7,23.5,23.5 --kernel tricube --degree 1 --bandwidth 5 --derivative -o copies.h5
tdiff round.h5:/y copies.h5:/y --rtol 1e-12
# A sample exactly opposite is half on each side: no slope comes from it.
nwreg -x 3xf64=0,6,18 -y 3xf64=1,5,5 -q 0 --period 24 --degree 1 --bandwidth 20 --derivative -O csv | sed 1d
nwreg -x 2xf64=0,12 -y 2xf64=1,5 -q 0 --period 24 --degree 1 --kernel triangular --bandwidth 24 --emit neff,weights -O csv | sed 1d
# Neighbours, the others, a search, two columns, and a picture of one round.
for how in '--bandwidth knn:3' '--bandwidth knn:3 --degree 1 --kernel tricube' '--loo --bandwidth 30' '--bandwidth cv --quiet' \
  '--bandwidth 3 --kernel boxcar --empty nearest -q 2xf64=358,10'; do
  nwreg -x d.csv:/direction -y d.csv:/speed --period 360 $how -O csv --precision 6 | sed 1d
done
nwreg -x d.csv:/direction,speed -y d.csv:/speed -q 1x2xf64=0,2 --kernel boxcar --bandwidth 12,9 --period direction=360 -O csv | sed 1d
# Dates: days of the year, and widths and periods as times.
printf 'day,t\n2020-12-30,1\n2021-06-01,5\n2022-01-02,3\n' >dates.csv
printf 'day\n2023-01-01\n' >when.csv
for h in 1w 7d 168h 7 10080min; do
  nwreg -x dates.csv:/day -y dates.csv:/t -q when.csv:/day --kernel boxcar --bandwidth $h --period 365.25 -O csv | sed 1d
done
nwreg -x dates.csv:/day -y dates.csv:/t -q when.csv:/day --kernel boxcar --bandwidth cv:1w,40d,2 --period 52w --quiet -O csv | sed 1d
try nwreg -x d.csv:/direction -y d.csv:/speed --bandwidth 2w
try nwreg -x d.csv:/direction -y d.csv:/speed --bandwidth 2 --period hour=24
try nwreg -x d.csv:/direction,speed -y d.csv:/speed --bandwidth 2 --period 24
try nwreg -x d.csv:/direction -y d.csv:/speed --bandwidth 2 --period 0
try nwreg -x d.csv:/direction -y d.csv:/speed --bandwidth rot --period 360
try nwreg -x d.csv:/direction -y d.csv:/speed --bandwidth 2 --period 360 --standardize
try nwreg -x d.csv:/direction -y d.csv:/speed --bandwidth 2 --period 360 --causal
try nwreg -x d.csv:/direction -y d.csv:/speed --bandwidth 2 --period 360 --engine reference
try nwreg -x d.csv:/direction -y d.csv:/speed --bandwidth 2 --period 360 --vjp 5xf64=1,1,1,1,1
try nwreg -x d.csv:/direction -y d.csv:/speed -q 0 --bandwidth 2 --period 360 --shard 1/2 --emit state -o s.h5
(printf 'a%s,' $(seq 30); echo z; seq -s, 31; seq -s, 31) >wide.csv
try nwreg -x wide.csv -y 2=1,2 --bandwidth 1 --period zz=3
