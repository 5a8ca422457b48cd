# Each column of y has the bits of a run of its own: bandwidths, fits, companions and parts.
. "$SUPPORT/try.sh"
printf 'x,a,b\n' >t.csv
awk 'BEGIN { for (i = 0; i < 40; ++i) printf "%g,%.6f,%.6f\n", i / 4 + i % 3 / 9, sin(i / 5) + i % 7 / 9, cos(i) + i % 5 / 4 }' >>t.csv
# Options, and then the datasets and the brackets of column c, or of its columns.
same() {
  options=$1
  shift
  nwreg -x t.csv:/x -y t.csv:/a,b $options --quiet -f -o both.h5
  for c in 0 1; do
    column=$(echo a b | cut -d ' ' -f $((c + 1)))
    nwreg -x t.csv:/x -y t.csv:/$column $options --quiet -f -o one.h5
    for dataset; do
      case $dataset in
        weights|bandwidth-curve) part="[:,:,$c]" ;;
        neff|degree) part="[:,$c]" ;;
        band) part="[:,$((2 * c)):$((2 * c + 2))]" ;;
        *) part="[:,$c:$((c + 1))]" ;;
      esac
      tdiff "both.h5:/$dataset$part" "one.h5:/$dataset" --ulp 0 || echo "differ: $options, $dataset of $column"
    done
  done
}
same '--emit se,band,neff,weights,degree' y se band neff weights degree
same '--degree 1 --kernel tricube --bandwidth aicc --emit se,weights -q linspace=0,10,7' y se weights
same '--bandwidth gcv:0.2,2,4 --emit bandwidth-curve' y bandwidth-curve
same '--bandwidth cv --derivative --emit se' y se
same '--bandwidth knn:cv --degree 1 --loo' y
same '--bandwidth cv --kernel tricube --degree 1 --robust 2 --emit neff' y neff
same '--bandwidth knn:50% --kernel tricube --degree 1 --robust 2' y
same '--quantile 0.3' y
same '--bandwidth 0.7 --emit se' y se
same '--bandwidth rot' y

# What a result says; curves of different length end in NaN.
nwreg -x t.csv:/x -y t.csv:/a,b --emit bandwidth-curve,neff --quiet -o own.h5
tconv --list own.h5 --select y | grep @bandwidth
tconv --list own.h5 --select bandwidth-curve | sed 's/([0-9]*,/(.,/'
nwreg -x t.csv:/x -y t.csv:/a,b --common-bandwidth --emit bandwidth-curve,neff --quiet -o common.h5
tconv --list common.h5 --select neff
nwreg -x t.csv:/x -y t.csv:/a,b --bandwidth cv:0.2,2,4 --summary -o sum.h5 2>&1 | grep -v -e method -e seconds
nwreg -x t.csv:/x -y t.csv:/a,b --summary --json --quiet | sed 's/"seconds.*//'

# Rows in parts.
nwreg -x t.csv:/x -y t.csv:/a,b -q linspace=0,10,9 --emit band,weights --no-history --quiet -o whole.h5
for i in 1 2; do nwreg -x t.csv:/x -y t.csv:/a,b -q linspace=0,10,9 --emit band,weights --quiet --shard $i/2 -o part-$i.h5; done
tmerge part-1.h5 part-2.h5 --no-history -o merged.h5
cmp merged.h5 whole.h5

# A missing y is missing in its column alone.
printf 'x,a,b\n1,1,2\n2,NA,3\n3,2,5\n4,1,4\n5,3,4\n' >gap.csv
nwreg -x gap.csv:/x -y gap.csv:/a,b --missing nan --kernel boxcar --bandwidth cv -O csv
nwreg -x gap.csv:/x -y gap.csv:/b --kernel boxcar --bandwidth cv -O csv

try nwreg -x t.csv:/x -y t.csv:/a,b --emit weights --sparse -o s.h5
try nwreg -x t.csv:/x -y t.csv:/a,b --bandwidth cv:0.2,2,4 --emit bandwidth-curve --shard 1/2 -o s.h5
