# Several inputs: a curve, a set of bars or a panel each, told apart by the least that does.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
texts() { sed 's/<text>/\n<text>/g' "$1" | sed -n 's/^<text>\(.*\)<\/text>.*/\1/p' | grep -v '^ *[-0-9.e+]*$' | sort -u | paste -s -d'|' -; }
printf 'loss,rate\n3,1\n2,2\n1,3\n' >train.csv
printf 'loss,rate\n4,1\n3,2\n' >valid.csv
mkdir other
cp train.csv other
tplot train.csv:/loss train.csv:/rate -o a.svg
texts a.svg
tplot train.csv:/loss valid.csv:/loss -o b.svg
texts b.svg
tplot train.csv:/loss other/train.csv:/loss -o c.svg
texts c.svg
tplot --curves train.csv valid.csv:/rate -o d.svg
texts d.svg
tplot --histogram train.csv:/loss valid.csv:/loss --bins 2 -o bars.svg
texts bars.svg
tplot train.csv valid.csv -o panels.svg
texts panels.svg
tplot --curves 3xf64=1,2,3 3xf64=3,2,1 --column-labels str=up,down -o named.svg
texts named.svg
tplot train.csv valid.csv
# Bars of several inputs share their bins: 1 and 2, 3 and 4.
tplot --histogram train.csv:/loss valid.csv:/loss --bins 2 -o - --size 40x12 | head -3
# The habit of INPUT OUTPUT.
tplot train.csv out.png || echo $?
tplot out.png <train.csv || echo $?
tplot train.csv str=a || echo $?
