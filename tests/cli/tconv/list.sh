# --list shows names, shapes, types and attributes.
. "$SUPPORT/try.sh"
tconv 2x3xf32=1,2,3,4,5,6 --no-history -o a.h5:/enc/0/q
tconv 2xi64=7,9 -A --no-history -o a.h5:/enc/1/ids
tconv str=Smith,Sato -A --no-history -o a.h5:/names
try tconv --list a.h5
# --values adds statistics.
try tconv --list --values a.h5
# A group, one dataset and --select narrow it; a part of a dataset can be listed too.
try tconv --list a.h5:/enc
try tconv --list a.h5:/enc/1/ids
try tconv --list --select '*/q' --select 'na*' a.h5
try tconv --list a.h5:/dec
try tconv --list 'a.h5:/enc/0/q[0]'
# Nothing is selected; a group that is selected is something, though it has no tensor of its own.
try tconv --list --select 'nope*' a.h5
try tconv --list --json --select 'nope*' a.h5:/enc a.h5:/names
try tconv --list --select 'nope*' --select enc/1 a.h5

# The list of several inputs says which is which; that of one does not.
printf 'a,b\n1,2\n' >t.csv
tconv 2=1,2 --no-history -o x.h5
try tconv --list x.h5
tconv 1=7 --no-history | try tconv --list x.h5 't.csv[:,1]' - x.h5:/y

# --json is for scripts.
tconv --list --json x.h5 t.csv | grep '"file"'
tconv 2xf32=1,nan --no-history -o nan.h5
try tconv --list --json --values nan.h5

# A list is text, in a file too.
for option in --check=x.h5 --keep=x --keep-input --output-format=csv; do try tconv --list x.h5 $option; done
try tconv --list x.h5 -o list.txt
cat list.txt
try tconv --list x.h5 -o list.txt
try tconv --list x.h5 -A -o list.txt
try tconv --list --values x.h5 --dry-run
try tconv --list --values x.h5 --max-memory 10
