# A command of any length leaves room for those before it in the history, and says how much of it is left out.
tconv 2=1,2 -o a.h5
printf '1x20000=0.125' >long
yes ,1.25 | head -n 19999 | tr -d '\n' >>long
posenc --length 3 --dim 20000 -o p.h5
linear p.h5 -w "$(cat long)" -o y.h5
tconv --list y.h5 | cut -c 1-50
tconv --list y.h5 | sed -n 's/.*\(\[\.\.\. .*\]\).*\(  (attn.*\)/\1\2/p' | sed 's/9[34][0-9]* bytes/94 kB/'
for i in 1 2 3 4 5 6 7 8 9; do linear y.h5 -w 1x1=1 -b "1=$i.$(printf %09000d 0)" -f -o y.h5; done
tconv --list y.h5 | grep -c 'left out'
tconv --list y.h5 | tail -n 2 | cut -c 1-50
[ "$(tconv --list y.h5 | wc -c)" -lt 60000 ]
# Characters stay whole.
tconv "str=$(printf 'é%.0s' $(seq 5000))" -o e.h5
tconv --list e.h5 | iconv -f UTF-8 -t UTF-8 | grep -c 'left out'
