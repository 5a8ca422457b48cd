# What cannot be read or made is said with what would help.
. "$SUPPORT/try.sh"
tconv 2=1,2 --rename 'y=e[0]' -o e.h5
tconv 7 --rename 'y=s[1]' -o s.h5
tconv 3=1,2,3 -A -o s.h5:/t
try tconv 'e.h5:/e[0]' -O csv
tconv 'e.h5:/e[0][]' -O csv --no-header
tconv 's.h5:/s[1][]' -O csv --no-header
tconv 'e.h5[]' -O csv --no-header
try tdiff s.h5 7
tconv 2=1,2 --rename 'y=two
lines' -o n.h5
try tconv 'n.h5:/two\nlines'
tconv 2=1,2 -o q.h5:/ada\'s
try tconv q.h5:/adas
echo "-- tconv"
try tconv 0x2=1 --split 0
tconv 0x2=1 --split 0 --parts 2 | tconv --list --json | grep -c '"shape"'
try tconv 6=1 --reshape 4,-1
try tconv 6=1 --reshape 4,2
try tconv 6=1 --reshape 0,-1
try tconv 1 2 -o two.h5
try tconv 1 2 --rename y=z -o two.h5
tconv 1 --rename 'y=/a\,b\=c/' | tconv --rename 'a\,b\=c=/d\e/' | tconv --list | tail -n 1
try tconv 1 --rename 'y=a,b=c'
try tconv 1 --rename 'y=/a//b'
try tconv 1 --rename 'y=/'
printf '# dtype=bool\na\n0\n1\n2\n' >bool.csv
try tconv bool.csv -O csv
printf '# dtype=bool\na\n0\n1.0\n1e0\n-0\n' | tconv -O csv
echo "-- bytes of a bool other than 0 are 1"
tconv 3xbool=0,1,1 -O npy -o b.npy
{ head -c 128 b.npy; printf '\0\002\377'; } >odd.npy
for format in h5 safetensors csv npy; do
  tconv odd.npy -O $format | tdiff - b.npy
done
tconv odd.npy -O npy | cmp - b.npy
tdiff odd.npy u64=0,1,1
tdiff odd.npy b.npy
echo "-- formats"
printf 'PK\003\004 and so on' >x.npz
try tconv x.npz
npy() {
  header="{'descr': $1, 'fortran_order': False, 'shape': (1,), }"
  printf '\223NUMPY\001\000%b\000%s0123456789abcdef' "\\0$(printf %o ${#header})" "$header"
}
for type in "'|O'" "'<c16'" "'<M8[D]'" "'<m8'" "'<f16'" "'|V7'" "[('a', '<f8')]"; do
  npy "$type" >x.npy
  try tconv x.npy
done
# A writer that has not closed its file has marked it.
cp "$FIXTURES/hdf5/later.h5" open.h5
printf '\005' | dd of=open.h5 bs=1 seek=11 conv=notrunc 2>dd.log
try tconv open.h5
