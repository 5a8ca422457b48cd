#!/bin/sh
# One attention in N parts, as N machines would compute it, and the same bits as in one run: examples/machines.sh [N]
# GNU parallel starts the parts; the parts that are there already are not computed again.
set -eu
n=${1:-8}
parallel --version 2>&1 | grep -q '^GNU parallel' || {
  echo "machines.sh: GNU parallel is not installed; the Debian package is parallel" >&2
  exit 69
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
posenc --length 100000 --dim 16 --dtype f32 -o k.h5
run() { parallel -q -j "$(nproc)" attend -q 'k.h5:/y[:10]' -k k.h5 -v k.h5 -t 1 --shard "{}/$n" --emit state -o part-{}.h5; }
seq "$n" | run

# A part is lost.
rm part-1.h5
echo "missing: $(tmerge --list-missing part-*.h5)"
tmerge --list-missing part-*.h5 | sed 's:/.*::' | run

tmerge part-*.h5 -o parts.h5
attend -q 'k.h5:/y[:10]' -k k.h5 -v k.h5 -o one.h5
tdiff parts.h5 one.h5 --ulp 0 && echo "the same bits in $n parts"
