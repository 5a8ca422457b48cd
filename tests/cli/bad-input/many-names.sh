# A message fits on a screen: of many columns, datasets, fields, axes or words the nearest ten, and how many more.
. "$SUPPORT/try.sh"
short() {
  try "$@" | tee said
  [ "$(wc -c <said)" -lt 1500 ] || echo too long
}
# Columns that only count would be compared by their places.
awk 'BEGIN { for (row = 0; row < 3; row++) for (i = 0; i < 3000; i++)
  printf "%s%s", row ? i : (i == 1 ? "first" : "gene" i), i < 2999 ? "," : "\n" }' >genes.csv
short softmax genes.csv:/gene30001
short softmax genes.csv:/2999-3000
short nwreg -x genes.csv:/age -y genes.csv:/gene7 --bandwidth 1
short nwreg -x genes.csv:/gene0-gene99 -y genes.csv:/gene7 --bandwidth 1 --categorical gene100
sed 's/gene/gen/g; s/first/second/' genes.csv >gens.csv
short tdiff genes.csv gens.csv
short nwreg -x genes.csv -y genes.csv:/gene7 --bandwidth 1 -q gens.csv -o y.csv
short nwreg -x genes.csv:/gene2,gene3 -y genes.csv:/gene7 --bandwidth 1,1 -q genes.csv:/1-2000 -o y.csv
tconv genes.csv -o genes.h5
short tconv genes.h5:/gene30001
short tconv genes.h5:/table/gene30001
tconv 100x2=1 --split 0 --parts 100 -o many.h5
short tconv many.h5:/y/1000
short softmax many.h5
short attend -q many.h5:/y -k 1x2=1 -v 1x2=1
short tconv many.h5 --rename y/100=x
short linear 1x2=1,2 -w many.h5:/w
short linear 1x2=1,2 -w many.h5:/y
long=$(awk 'BEGIN { for (i = 0; i < 3000; i++) printf "x" }')
for columns in "gene2,$long" "$(seq -s , 0 2999),0"; do
  softmax "genes.csv:/$columns" 2>said || cut -c 1-300 said
  [ "$(wc -c <said)" -lt 1500 ] || echo too long
done
attend -q 2=1,2 -k 2=1,2 -v 2=1,2 --score "$long" 2>said || [ "$(wc -c <said)" -lt 1500 ]
