# A block of the user's own in front of a file does no harm, also where it was put there afterwards.
tconv 2x3=1,2,3,4,5,6 -o x.h5
for bytes in 512 1024; do
  { head -c $bytes /dev/zero && cat x.h5; } >block.h5
  tdiff block.h5 x.h5
  cat block.h5 | tdiff - x.h5
  # What follows is the next image, with such a block or without, or an error, as ever.
  cat block.h5 x.h5 block.h5 | tconv --list --json - | grep -c '"shape"'
  { cat block.h5 && echo junk; } >junk.h5
  tconv --list junk.h5 || echo $?
  head -c $((bytes + 1000)) block.h5 | tconv - -o cut.h5 || echo $?
done
# Larger ones are found too, up to 1 MiB.
for bytes in 4096 65536 1048576; do
  { head -c $bytes /dev/zero && cat x.h5; } >block.h5
  tdiff block.h5 x.h5
  cat block.h5 x.h5 block.h5 | tconv --list --json - | grep -c '"shape"'
done
