# One flipped bit in a shape, which claims more than the chunks of the file can hold, is damage and no lack of memory.
for at in $(LC_ALL=C grep -abo -P '\x0d\0{7}\x09\0{7}\x05\0{7}' "$FIXTURES/hdf5/filtered.h5" | cut -d : -f 1); do
  cp "$FIXTURES/hdf5/filtered.h5" damaged.h5
  chmod u+w damaged.h5
  printf '\040' | dd of=damaged.h5 bs=1 seek=$((at + 4)) conv=notrunc 2>dd.log
  tconv --list damaged.h5 >list 2>errors || continue
  grep '^gzip/f8 *(137438953485, 9, 5)' list || continue
  for command in "--list --values damaged.h5 --select gzip/f8" "damaged.h5:/gzip/f8 -o y.h5"; do
    code=0
    # shellcheck disable=SC2086
    tconv $command || code=$?
    echo $code
  done
done
