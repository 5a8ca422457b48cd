# Where nothing can be added with -A, -n and the run say so in the same words, before anything is computed.
. "$SUPPORT/try.sh"
# Below a link to nothing or to another file no dataset can be made.
cp "$FIXTURES/hdf5/elsewhere.h5" soft.h5
chmod u+w soft.h5
cp soft.h5 before.h5
for name in nothing/new nothing/deeper/new group/other/new; do
  try posenc --length 2 --dim 2 -A -o soft.h5:/$name
  try posenc --length 2 --dim 2 -A -n -o soft.h5:/$name
done
cmp soft.h5 before.h5

# A pipe: to open it would be to wait for who reads it.
mkfifo pipe
ln -s pipe link
for name in pipe link; do
  try timeout 10 tconv 2=1,2 -A -o $name
  try timeout 10 tconv 2=1,2 -A -n -o $name
  try timeout 10 tconv 2=1,2 -A -f -o $name:/y
  try timeout 10 tconv 2=1,2 -A -f -n -o $name:/y
done

# -f replaces datasets, never a group with all that is in it.
tconv 2xf32=3,4 -o g.h5:/q/w
try tconv 2xf32=1,2 -A -f -o g.h5:/q
try tconv g.h5:/q/w -O csv --no-header
tconv 2xf32=5,6 -A -f -o g.h5:/q/w
try tconv g.h5:/q/w -O csv --no-header
