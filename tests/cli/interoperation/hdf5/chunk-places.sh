# A flipped bit in what a tree of chunks says of their places, or that leads into the bytes of another, is damage and no
# other number; so is one in the width that was shuffled, and one in the count of chunks of a dataset that has them all.
# What shrank and grew again is fine.
cp "$FIXTURES/hdf5/chunks.h5" .
chmod u+w chunks.h5
for name in filtered early shrunk; do tdiff chunks.h5:/$name chunks.h5:/plain; done
byte() { od -An -tu1 -j "$1" -N 1 chunks.h5; }
flip() { # BYTE BIT [NAME]
  cp chunks.h5 damaged.h5
  # shellcheck disable=SC2059
  printf "\\$(printf %o $(($(byte "$1") ^ $2)))" | dd of=damaged.h5 bs=1 seek="$1" conv=notrunc 2>dd.log
  code=0
  tdiff "damaged.h5${3:-}" "chunks.h5${3:-}" >differences 2>errors || code=$?
  case $code in 0 | 65) ;; *) echo "byte $1 ^ $2: $code" && cat differences errors ;; esac
}
for tree in $(LC_ALL=C grep -abo -P 'TREE\x01' chunks.h5 | cut -d : -f 1); do
  for bit in 1 2 4 8; do flip $((tree + 6)) $bit :/early; done
  # The address of a chunk between others.
  for bit in 8 16 32 64; do flip $((tree + 24 + 40 * 2 + 32)) $bit :/plain; done
  for key in 0 3 5 6; do
    for axis in 0 1; do
      for bit in 1 2 4 16; do flip $((tree + 24 + 40 * key + 8 + 8 * axis)) $bit; done
    done
  done
done
# The list of filters has the number of shuffle, its name and its one value.
shuffle=$(LC_ALL=C grep -abo -P 'shuffle\0\x08\0\0\0' chunks.h5 | cut -d : -f 1)
for bit in 1 8 16; do flip $((shuffle + 8)) $bit; done
