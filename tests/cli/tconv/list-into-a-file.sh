# A list is text, in a file too.
tconv 2x3=1,2,3,4,5,6 --no-history -o x.h5:/x
try() { tconv "$@" >out 2>&1 || echo "$? $(cat out)"; }
for option in --check=x.h5 --keep=x --keep-input --output-format=csv; do try --list x.h5 "$option"; done
tconv --list x.h5 -o list.txt
cat list.txt
try --list x.h5 -o list.txt
try --list x.h5 -A -o list.txt
tconv --list --values x.h5 --dry-run
try --list --values x.h5 --max-memory 10
