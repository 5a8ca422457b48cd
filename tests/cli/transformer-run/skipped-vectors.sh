# Vectors of lines are those of the lines alone, in order, whatever their lengths; a skipped line has zeros.
d=$EXAMPLES/dates
for i in 1 2 3 4 5 6 7 8 9; do echo "$i" "$i mars 202$i"; done | tr ' ' '\n' >lines
vectors() { transformer-run -m "$d" --task feature-extraction --pool mean --quiet "$@"; }
vectors -o all.h5 <lines
vectors -t 1 --batch 1 -o single.h5 <lines
tdiff all.h5 single.h5 --ulp 0
while read -r line; do vectors "$line"; done <lines | tconv - --delim '\t' --no-header -O npy | tdiff - all.h5 --ulp 0
printf '3 mars 2021\n\377\n1/2/99\n' | vectors --on-error skip -o skipped.h5 || echo $?
printf '3 mars 2021\n1/2/99\n' | vectors -o good.h5
tconv 'skipped.h5:/y[::2]' -O npy | tdiff - good.h5 --ulp 0
tconv 'skipped.h5:/y[1,:3]' -O csv
