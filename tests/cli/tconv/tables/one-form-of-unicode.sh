# A name with accents is one name, whether they are characters of their own (NFD, as on macOS) or parts of their letters
# (NFC); other characters that look the same are shown by their numbers.
. "$SUPPORT/try.sh"
apart=$(printf 'tempe\314\201rature') whole=$(printf 'temp\303\251rature')
printf '%s,x\n1,2\n3,4\n' "$apart" >apart.csv
printf 'x,%s\n2,1\n4,3\n' "$whole" >whole.csv
tdiff "apart.csv:/$whole" "whole.csv:/$apart"
tdiff apart.csv whole.csv
tdiff apart.csv 'whole.csv:/*'
tconv apart.csv -o apart.h5
tdiff "apart.h5:/$whole" "whole.csv:/$whole"
tconv "apart.csv:/$apart" -o "apart.h5:/a/$apart" -A
tdiff "apart.h5:/a/$whole" "whole.csv:/$whole"
tconv "apart.h5:/a" -o apart.safetensors
tconv "apart.safetensors:/a/$whole" -O csv --no-header
tconv --list apart.h5 --select "*/$whole" | grep -c f64
nwreg -x apart.csv -y 2=1,2 --bandwidth 1,1 -q whole.csv -O npy | tdiff - 2=1,2 --atol 0.2
# Words that are looked up, and categories.
attend --normalize hard -q "str=$whole" -k "str=x,$apart" -v 2=1,2 -O csv
printf 'c\n%s\nb\n' "$apart" >c.csv
printf 'c\n%s\n' "$whole" >q.csv
nwreg -x c.csv -y 2=1,2 --bandwidth 0 -q q.csv -O csv --quiet
# One of both is meant as it is written.
printf '%s,%s\n1,2\n' "$apart" "$whole" >both.csv
tconv "both.csv:/$whole" -O csv | tail -n 1
printf 'p\320\260ris,age\302\240\n1,2\n' >alike.csv
printf 'paris,age\n1,2\n' >plain.csv
try tconv alike.csv:/paris
try tconv alike.csv:/age
try tdiff alike.csv plain.csv
try tdiff plain.csv alike.csv
