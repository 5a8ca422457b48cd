# Parts with rows that are missing, that overlap, or that belong to another attention are refused by name.
. "$SUPPORT/try.sh"
posenc --length 120 --dim 8 --base 50 --dtype f32 -o all.h5
part() { # NAME I/N OPTION...
  name=$1 shard=$2
  shift 2
  attend -q 'all.h5:/y[:20]' -k all.h5 -v all.h5 --shard "$shard" "$@" -f -o "$name.h5"
}
merge() { tmerge "$@" -f -o y.h5; }

# Rows that no part has, or that two have.
part 1 1/3 && part 2 2/3 && part 3 3/3 && part half 2/2
try merge 1.h5 3.h5
try tmerge --list-missing 3.h5
try merge 1.h5 2.h5 2.h5 3.h5
try merge 1.h5 half.h5

# The second of three parts has other options or inputs, also of the same shape.
other() { part 2 2/3 "$@" && merge 1.h5 2.h5 3.h5; }
try other --scale 2
try other --dtype f64
try other -v 'all.h5[::-1]'
try other -q 'all.h5:/y[:21]'
try other -q 'all.h5:/y[1:21]'
try other --emit state
part 2 2/3 --emit lse
try merge 2.h5 1.h5 3.h5
tconv 'all.h5[:20,0]' --reshape 20,1 -o row.h5
tconv 'all.h5[1:21,0]' --reshape 20,1 -o other-row.h5
# shellcheck disable=SC2046
tconv --concat 1 $(yes row.h5 | head -n 120) -o bias.h5
# shellcheck disable=SC2046
tconv --concat 1 $(yes other-row.h5 | head -n 120) -o other-bias.h5
try other --bias bias.h5
two() { # OPTION VALUE VALUE: of two parts
  part 1 1/3 "$1" "$2" && part 2 2/3 "$1" "$3" && merge 1.h5 2.h5
}
try two --bias other-bias.h5 bias.h5
tconv "20xi64=$(seq -s , 20)" -O npy -o lens.npy
try two --valid-lens 'lens.npy[::-1]' lens.npy
tconv "1x120xf32=$(seq -s , 120)" -o mask.h5
try two --mask 1x120xu8=1 mask.h5
part 1 1/3 --engine reference && part 2 2/3
try merge 1.h5 2.h5 3.h5

# A head without its checksum, and one with another axis of rows.
next() { LC_ALL=C grep -abo "$1" 1.h5 | awk -F : -v after="$2" '$1 > after { print $1; exit }'; } # TEXT OFFSET
spoil() { printf x | dd of=1.h5 bs=1 seek="$1" conv=notrunc 2>/dev/null; }
part 1 1/3
checksum=$(next checksum 0)
spoil "$checksum"
try merge 1.h5 2.h5 3.h5
part 1 1/3
spoil "$(next rows "$checksum")"
try merge 1.h5 2.h5 3.h5

# What there are no parts of: a part has some rows.
part 1 1/3
try merge 1.h5 --emit lse
try part 1 1/3 -O npy
try part 1 1/3 --explain 0
try attend all.h5 --keep-input --shard 1/3 -o kept.h5
# A part may have no rows.
part 1 1/30
tconv --list 1.h5 | grep '^y '
