# What --keep and --keep-input carry keeps its attributes, and --keep those of the groups and of the file around it.
cp "$FIXTURES/hdf5/attributes.h5" a.h5
softmax a.h5:/enc/q --keep x | tconv --list >list
grep -c '^  @' list
grep -e '@title' -e '@place' -e '^x ' list || :
softmax a.h5:/x --keep 'enc/*' --no-history | tconv --list
softmax 3=1,2,3 --keep-input | tconv --list | grep '^x'
# Other attributes than numbers stay behind, with a note; --quiet is without.
softmax a.h5:/x --keep-input --quiet --no-history -o x.h5
tdiff x.h5:/x a.h5:/x
tconv --list x.h5 | grep -e '@half' -e '@matrix'
# The names of columns go with their columns.
printf 'a,b,c\n1,2,3\n4,5,6\n' >c.csv
softmax 'c.csv[:,::-2]' --keep-input -O csv --precision 2
# Two of one name are refused, but not one that two patterns find.
refused() {
  code=0
  "$@" 2>&1 || code=$?
  [ $code -eq 2 ] || echo "$*: exit code $code"
}
tconv 2=1,2 -o one.h5:/x
tconv 2=3,4 -o two.h5:/y
tconv 1=5 -A -o one.h5:/mask
tconv 1=6 -A -o two.h5:/mask
tconv 2=7,8 -A -o two.h5:/x
refused addnorm one.h5:/x --residual two.h5:/x --keep mask -o out.h5:/z
refused addnorm two.h5:/y --residual one.h5:/x --keep-input --keep x -o out.h5:/z
refused addnorm one.h5:/x[0:1] --residual 1=1 --keep-input --keep x -o out.h5:/z
[ ! -e out.h5 ]
softmax one.h5:/x --keep-input --keep x --keep 'm*' --keep '*k' | tconv --list | grep -v @
