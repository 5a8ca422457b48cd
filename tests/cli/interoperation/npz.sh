# Archives of numpy.savez and savez_compressed; a damaged one is one line. deflated.npz is of NumPy 2.4.
. "$SUPPORT/try.sh"
cp "$TESTDIR/deflated.npz" .
tconv --list deflated.npz
tconv deflated.npz:/b -O csv
tconv deflated.npz:/names -O csv
tdiff 'deflated.npz:/a[0]' deflated.npz:/f --ulp 0 && echo "order of axes"
try tconv deflated.npz:/o

# What is written reads back, from a pipe too, and with other tools.
tconv deflated.npz:/a -o one.npz
tconv 3xf32=1,2,3 -A -o two.h5:/group/x
tconv 2x2xi16=1,2,3,4 -A -o two.h5:/z
tconv two.h5 -O npz >two.npz
tconv --list two.npz
tconv --list - <two.npz
tconv two.npz:/z -O csv
if command -v python3 >/dev/null; then
  python3 -c 'import zipfile
z = zipfile.ZipFile("two.npz")
assert z.testzip() is None
assert [(i.filename, i.file_size) for i in z.infolist()] == [("group/x.npy", 140), ("z.npy", 136)]'
fi
tconv one.npz -o again.npz
cmp one.npz again.npz
try tconv str=a -o words.npz
try tconv two.npz -O csv
try tconv two.npz -o one.npy

# Every cut and every flipped bit is an error in one line, or without effect.
size=$(wc -c <deflated.npz)
for at in $(seq 1 97 "$size"); do
  head -c "$at" deflated.npz >cut.npz
  code=0
  tconv cut.npz:/b -O csv >out 2>err || code=$?
  [ $code -eq 65 ] || [ $code -eq 66 ] || echo "cut at $at: $code"
  [ "$(wc -l <err)" -eq 1 ] || cat err
  { head -c "$((at - 1))" deflated.npz && printf '\377' && tail -c "+$((at + 1))" deflated.npz; } >flipped.npz
  code=0
  tconv flipped.npz:/a -O csv >out 2>err || code=$?
  case $code in 65 | 66) [ "$(wc -l <err)" -eq 1 ] || cat err ;; 0) cmp -s out whole || { tconv deflated.npz:/a -O csv >whole && cmp out whole; } ;; *) echo "flipped at $at: $code" ;; esac
done

# Other ZIP archives.
printf 'PK\005\006\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >empty.npz
try tconv --list empty.npz
printf 'a,b\n1,2\n' >not.npz
try tconv --list not.npz
