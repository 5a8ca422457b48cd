# Groups that are one tensor in programs of others: categories, masked numbers, sparse matrices, variables, data frames.
. "$SUPPORT/try.sh"
cp "$FIXTURES"/hdf5/groups.h5 g.h5
for name in obs/kind 'obs/kind[:2]' obs/number obs/count var/old meta.data/kind; do try tconv "g.h5:/$name" -O csv; done
try nwreg -x linspace=0,1,2 -y 'g.h5:/obs/kind[:2]' --classify --bandwidth 0.1 -O csv
# As numbers, and as they are stored.
tdiff g.h5:/obs/kind/codes 4=0,1,nan,0
tdiff --raw g.h5:/var/old 2xi8=1,0
tconv g.h5:/obs/kind -o kind.h5 && tconv --list kind.h5 | grep -e kind/ -e encoding
try tconv g.h5:/obs/damaged -O csv
echo "-- MATLAB and Octave"
for name in S zeros complex octave/A octave/text octave/truth octave/none octave/sparse; do try tconv g.h5:/$name -O csv; done
tdiff 'g.h5:/S[1:,1]' 3=0,0,7
# The matrix is no sparse one any more.
tconv g.h5:/S -o S.h5 && tconv --list S.h5 | tail -n 2
echo "-- pandas"
for name in frame/age frame/size,n frame/town frame frame/none whole whole/2021 'whole[1]'; do try tconv g.h5:/$name -O csv; done
try nwreg -x g.h5:/frame/n -y g.h5:/frame/size --bandwidth 0.1 -O csv
try tconv g.h5:/whole -o whole.h5
echo "-- Julia"
tconv 3x2=1 -o x.h5
{ printf 'HDF5-based Julia Data Format, version 0.1.1' && head -c 469 /dev/zero && cat x.h5; } >j.jld2
try softmax j.jld2 -O csv
