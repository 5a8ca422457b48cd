# A bit of a part that is flipped is noticed, or it changes nothing: in the head, in attributes such as `bandwidth`, in
# results, in matrices that were hashed while they were written, and in the structure of the file. FLIPS=3000 flips more.
command -v python3 >/dev/null || { echo 'needs python3' >&2; exit 77; }
posenc --length 9000 --dim 3 --dtype f32 -o k.h5
set -- attend -q 'k.h5:/y[:6]' -k k.h5 -v k.h5
"$@" --shard 1/2 --emit state -o state-1.h5 && "$@" --shard 2/2 --emit state -o state-2.h5
set -- attend -q 'k.h5:/y[:6]' -k 'k.h5[:40]' -v 'k.h5[:40]' --emit weights,lse
"$@" --shard 1/2 -o rows-1.h5 && "$@" --shard 2/2 -o rows-2.h5
"$@" --shard 1/2 --compress gzip -o packed-1.h5 && "$@" --shard 2/2 --compress gzip -o packed-2.h5
set -- attend -q 'k.h5:/y[:6]' -k 'k.h5[:40]' -v 'k.h5[:40]' --dims a,b
"$@" --shard 1/2 -o named-1.h5 && "$@" --shard 2/2 -o named-2.h5
set -- attend -q 'k.h5:/y[:6]' -k k.h5 --emit state,topk=2
"$@" --shard 1/2 -o search-1.h5 && "$@" --shard 2/2 -o search-2.h5
set -- nwreg -x 'k.h5[:,0]' -y 'k.h5[:,1:]' -q linspace=-1,1,5 --bandwidth 0.3
"$@" --emit band,neff --shard 1/2 -o fit-1.h5 && "$@" --emit band,neff --shard 2/2 -o fit-2.h5
"$@" --emit state --shard 1/2 -o sums-1.h5 && "$@" --emit state --shard 2/2 -o sums-2.h5
cat >flip.py <<'P'
import os, random, subprocess, sys
kind, flips = sys.argv[1], int(sys.argv[2])
first, second = open(kind + "-1.h5", "rb").read(), kind + "-2.h5"
random.seed(kind)
def merged():
    run = subprocess.run(["tmerge", "part.h5", second, "-f", "-o", "y.h5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return run.returncode, run.stderr.decode(), open("y.h5", "rb").read() if run.returncode == 0 else None
open("part.h5", "wb").write(first)
code, said, whole = merged()
assert code == 0, said
for flip in range(flips):
    at, bit = random.randrange(len(first)), random.randrange(8)
    open("part.h5", "wb").write(first[:at] + bytes([first[at] ^ 1 << bit]) + first[at + 1:])
    code, said, result = merged()
    if code == 0 and result != whole: print(kind, "byte", at, "bit", bit, "changes the result in silence")
    if code not in (0, 65, 66) or (code != 0 and "part.h5" not in said): print(kind, "byte", at, "bit", bit, code, said)
P
for kind in state rows packed named search fit sums; do python3 flip.py $kind "${FLIPS:-40}"; done
