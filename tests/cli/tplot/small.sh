# Pictures of the size of a paper's column: legends, numbers, panels and their titles.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
texts() { sed 's/<text>/\n<text>/g' "$1" | sed -n 's/^<text>\(.*\)<\/text>.*/\1/p' | sed 's/<[^>]*>//g' | paste -s -d'|' -; }
draw() { tplot "$@" --size 420x300 -f -o p.svg && texts p.svg; }
# The places of a text: x,y.
place_of() { grep -B1 "<text>$1</text>" p.svg | sed -n 's/.*translate(\([0-9.]*\),\([0-9.]*\)).*/\1 \2/p'; }
echo "-- the legend is inside where no data are, else on top"
printf 'train loss,validation loss\n9,10\n4,5\n2,3\n1,2\n' >falling.csv
draw --curves falling.csv
place_of 'train loss' | awk '{ print ($1 > 200 ? "right" : "left"), ($2 < 150 ? "upper" : "lower") }'
tac falling.csv | sed '$d' | { echo 'train loss,validation loss'; cat; } >rising.csv
draw --curves rising.csv >/dev/null
place_of 'train loss' | awk '{ print ($1 > 200 ? "right" : "left"), ($2 < 150 ? "upper" : "lower") }'
# Every corner has a point: the frame begins below the names.
draw --scatter -x 4=0,0,9,9 4x1=0,9,0,9 --column-labels str=corners >/dev/null
top=$(place_of corners | cut -d' ' -f2) nine=$(place_of 8 | tail -1 | cut -d' ' -f2)
awk "BEGIN { print $top < $nine ? \"on top\" : \"over the data\" }"
for place in upper-left 'lower left' top bottom right none; do
  draw --curves falling.csv --legend "$place" | grep -c 'train loss' || true
done
echo "-- as many numbers as fit"
draw linspace=0.00001,0.0001,50
draw -x linspace=1000000,9000000,9 linspace=0,1,9
draw --log y 3=2,3,4
draw --log xy -x 3=1,10,1e8 3=0.1,1,1e9
echo "-- panels say what they are, and share a scale and labels"
tconv linspace=0,1,192 --reshape 2,2,6,8 -o x.h5:/x
attend x.h5:/x --emit weights -o w.h5
draw w.h5:/weights
draw 'w.h5:/weights[1,:]'
draw 'w.h5:/weights[:,1]'
tconv w.h5:/weights -o copy.h5
draw 'copy.h5:/weights[:1]'
draw x.h5
echo "-- a slice has its own numbers"
tconv linspace=0,1,1000 --reshape 5,200 -o m.h5:/m
draw 'm.h5:/m[2:4,100:200]'
draw 'm.h5:/m[4:1:-1,100:200:10]'
draw --curves 'm.h5:/m[1:4,198:]'
echo "-- the text of names and scales"
draw 2x3=1,2,3,4,5,6 --column-labels 'str=a very long name of a column,b,c' --row-labels str=x,y --title T --xlabel X
tplot 1x3xf64=0.123456789,0.5,0.987654321
tplot 1x3xf64=1000,1000.5,1001
tplot 1x3xf64=0,1,2 --legend none
# The font is that of --font-size, in pixels of 1/96 inch.
tplot 3=1,2,3 --font-size 12 -f -o p.svg
grep -o 'font-size="[0-9.]*"' p.svg | sort -u
# Of many panels nothing would be left.
tplot x.h5 --size 60x40 -f -o p.svg || echo $?
