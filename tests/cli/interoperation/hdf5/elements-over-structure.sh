# An address of elements that leads to where the file has its structure, or elements of another dataset, is damage and
# no other number.
tconv linspace=1,6,6 -o good.h5:/a
tconv linspace=7,12,6 -A -o good.h5:/b
tconv linspace=13,18,6 -A -o good.h5:/g/c
found() { LC_ALL=C grep -abo -P "$1" good.h5 | cut -d : -f 1; }
address() { od -An -tu8 -j $(($1 + 2)) -N 8 good.h5 | tr -d ' '; }
# Version 3, contiguous, an address, 48 bytes.
layouts=$(found '\x03\x01.{6}\0\0\x30\0{7}')
targets="0 8 $(found 'TREE|SNOD|HEAP') $layouts"
# Nodes are larger than what they hold.
targets="$targets $(found SNOD | sed 's/$/+300/') $(found TREE | sed 's/$/+500/')"
for layout in $layouts; do targets="$targets $(address "$layout")-16 $(address "$layout")+40"; done
count=0
for layout in $layouts; do
  own=$(address "$layout")
  for target in $targets; do
    target=$(($target)) count=$((count + 1))
    [ $target -lt $((own - 47)) ] || [ $target -gt $((own + 47)) ] || continue # nothing else need lie there
    cp good.h5 damaged.h5
    # shellcheck disable=SC2059
    printf "\\$(printf %o $((target & 255)))\\$(printf %o $((target >> 8)))" |
      dd of=damaged.h5 bs=1 seek=$((layout + 2)) conv=notrunc 2>dd.log
    code=0
    tdiff damaged.h5 good.h5 >differences 2>errors || code=$?
    [ $code -eq 65 ] || { echo "elements at $target: $code" && cat differences errors; }
    cat errors >>all
  done
done
[ $count -gt 50 ] || echo "only $count places"
sed 's/[^ ]* *[^ ]* //' all | sort | uniq
# What a file has is fine where nothing is damaged: nodes that are full, chunks beside each other.
seq 1 9 | while read -r i; do tconv "linspace=0,$i,6" -A -o full.h5:/d$i; done
tdiff full.h5:/d9 linspace=0,9,6
