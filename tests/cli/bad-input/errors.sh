# Each kind of error: one line that names what is wrong, the exit code of its kind, and no output.
. "$SUPPORT/try.sh"

# 2: the command line. A typo has a hint.
try attend -q 1x1=1 -k 1x1=1 -v 1x1=1 --casual -o out.h5
try tconv 2=1,2 -o
try tdiff 1 1 --rtol small

# 65: numbers and shapes. A word among numbers is named with its file, line and column. If rows have other cells than
# the header, the message is about them, not about the line of the shape above them.
printf 'a,b\n1,2\n3,four\n' >table.csv
try tconv table.csv -o out.h5
printf '# shape=2,2,2 dtype=f32\ny\n1,2\n3,4\n5,6\n7,8\n' | try tconv
try attend -q 1x4=1,2,3,4 -k 3x4=1,2,3,4,5,6,7,8,9,10,11,12 -v 2x4=1,2,3,4,5,6,7,8 -o out.h5

# 66: input that is missing, also a pipe that brings nothing, and a dataset: the message lists those that are there.
try tconv missing.h5 -o out.h5
: | try tconv -o out.h5
tconv 2=1,2 -o tables.h5
try tconv tables.h5:/nope -o out.h5

# 66: input that ends too early, in a file and in a pipe.
tconv linspace=0,1,400 -o whole.h5
head -c 4000 whole.h5 >cut.h5
try tconv cut.h5 -o out.h5 | sed 's/of .*/of N/'
tconv linspace=0,1,400 | head -c 4000 | try tconv -o out.h5 | sed 's/of .*/of N/'

# 73: output that cannot be made. One that exists stays as it was; a folder that does not exist is noticed before
# anything is computed.
echo precious >out.h5
try tconv 2=1,2 -o out.h5
cat out.h5
try tconv 2=1,2 -o nowhere/out.h5

# 74: a write that fails, on a disk that is full.
try sh -c 'tconv 2=1,2 >/dev/full'
