# A flipped bit in a shape and another in its limit, which claim more than the chunks of the file can hold, are damage
# and no lack of memory.
for at in $(LC_ALL=C grep -abo -P '\x0d\0{7}\x09\0{7}\x05\0{7}' "$FIXTURES/hdf5/filtered.h5" | cut -d : -f 1); do
  cp "$FIXTURES/hdf5/filtered.h5" damaged.h5
  chmod u+w damaged.h5
  # The extent and its limit, three extents behind it.
  for byte in $((at + 4)) $((at + 28)); do
    printf '\040' | dd of=damaged.h5 bs=1 seek=$byte conv=notrunc 2>dd.log
  done
  tconv --list damaged.h5 >list 2>errors || continue
  grep '^gzip/f8 *(137438953485, 9, 5)' list || continue
  for command in "--list --values damaged.h5 --select gzip/f8" "damaged.h5:/gzip/f8 -o y.h5"; do
    code=0
    # shellcheck disable=SC2086
    tconv $command || code=$?
    echo $code
  done
done
