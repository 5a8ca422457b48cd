# The names of a table's columns survive HDF5, and a choice of columns.
tconv "$EXAMPLES/cars.csv" -o cars.h5
tconv cars.h5 -O csv | cmp - "$EXAMPLES/cars.csv"
tconv "$EXAMPLES/cars.csv:/dist,speed[:2]" -O csv
tconv "$EXAMPLES/cars.csv:/dist[:1]" -O csv
# Names that are no longer those of the columns are not kept.
tconv "$EXAMPLES/cars.csv" --slab :2 --transpose | tconv --list | grep -c columns || true
# With --header names are as they are, whatever they are, and those that need no quotes have none.
for header in '1,a' '1,2' '/1,//2,1e3,nan,+1,01' 'a b,"c,d","say ""hi"""' 'x/y,/z,w/' 'a,,b' ',b' ',' 'a,a' '" a",b' 'a,#b' \
  '"#a",b' 'a;b,c|d' 'größe,2019' 'inf;1,a' '1 2,"3,4"'; do
  { echo "$header"; echo "$header" | sed 's/"[^"]*""[^"]*""*"/1/g; s/"[^"]*"/1/g; s/[^,]*/1/g'; } >named.csv
  tconv named.csv --header -f -o named.h5
  tconv named.h5 --header -O csv | cmp - named.csv || cat named.csv
  # Without it a mark keeps numbers names, and reading takes it away.
  tconv named.h5 -f -o marked.csv
  tconv marked.csv | tdiff --strict - named.h5 || cat marked.csv
  tconv named.h5 --header -f -o named.tsv
  tconv named.tsv --header | tdiff --strict - named.h5 || cat named.tsv
done
for header in 1 '1;2' '""'; do
  printf '%s\n7\n' "$header" >named.csv
  tconv named.csv --header -f -o named.h5
  tconv named.h5 --header -O csv | cmp - named.csv
  tconv named.h5 -O csv | tconv | tdiff --strict - named.h5
done
tconv named.h5 -O csv --no-header
# Beside words each column is a dataset, called by its number where its name is not its own.
printf 'a,a,1\n1,x,2\n' >twins.csv
tconv twins.csv --header --no-history -o numbered.h5
tconv --list numbered.h5
tconv twins.csv:/1 --header -O csv
tconv twins.csv:/1_ --header -O csv
# A name with a slash is a path in HDF5, where others may be in its way, or it in theirs.
printf 'kg,kg/m,/2,kg,.,5/w\n1,2,3,4,5,x\n' >paths.csv
tconv paths.csv --header -o paths.h5
tconv paths.h5 --header -O csv
tconv paths.csv:/2 paths.csv:/kg/m paths.csv:/. --concat 1 --header -O csv
printf 'a,a,b\n1,x,2\n' >twins.csv
tconv twins.csv -o twins.h5
tconv --list twins.csv
tconv twins.h5 --header -O csv | cmp - twins.csv
