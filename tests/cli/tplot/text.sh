# Text is drawn as it is written: no markup, no commands, lines broken where the picture ends.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
lines() { sed 's/<text>/\n<text>/g' "$1" | sed -n 's/^<text>\(.*\)<\/text>.*/\1/p' | grep -v '^ *[-0-9.e+]*$'; }
tplot --curves 2x2xf64=1,2,3,4 -o text.svg --column-labels 'str=a_b^{c} @d ~e,it'"'"'s "é" 日本 `touch made` \n $x' \
  --title 'x_1 & <b>' --xlabel '##ing ▁the Ġcat' --ylabel '%d {/Symbol a}'
lines text.svg | sort
ls
# A long title takes several lines; a long name is shortened in the middle.
words='one two three four five six seven eight nine ten'
tplot --curves 2x2xf64=1,2,3,4 -o long.svg --title "$words $words $words" --column-labels "str=$words first,$words second"
lines long.svg
tplot 1x2xf64=1,2 --row-labels "str=a rather long name of a row" --column-labels 'str=日本語,é'
tplot 2x3xf64=1,2,3,4,5,6 --size 10x5 --column-labels 'str=日本,née,x'
