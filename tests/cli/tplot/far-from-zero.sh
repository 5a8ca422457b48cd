# Times far from 0: tics and points differ in digits that six of them would not show.
tplot --scatter -x 3xf64=1700000000,1700003000,1700006000 3xf64=1,2,3 -o - --size 60x12 >seconds.txt
grep -o '1700000000\|1700003000\|1700006000' seconds.txt
tplot --curves -x 3xf64=1000000000001,1000000000002,1000000000003 3xf64=1,2,3 -o - --size 79x12 | grep -o "100000000000[123]" | sort -u
# The part of an axis that is shown counts, and the colours of a heat map.
tics() { sed 's/<text>/\n<text>/g' "$1" | grep -o '> *[-0-9.e+][-0-9.e+]*<' | tr -d '>< ' | grep 1700 | paste -s -d' ' -; }
tplot --scatter -x 3xf64=1700000000,1700003000,1731536000 3xf64=1,2,3 --x-range 1700000000:1700004000 -o part.svg
tics part.svg
tplot --heatmap 1x3xf64=1700000000,1700000001,1700000002 -o map.svg
tics map.svg
# More names than a legend has room for.
tplot --curves 2x30xf64=1 -o - --size 60x12 2>&1 >/dev/null
