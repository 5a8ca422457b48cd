# Control characters are no text, and tables are not written with them; a CR alone ends no line.
. "$SUPPORT/try.sh"
printf 'w\n"a\001b"\nc\n' >a.csv
try tconv a.csv -o a.h5
printf 'w\033\n1\n' >b.csv
try tconv b.csv -o b.h5
{ printf 'w\n' && yes word | head -n 2000 && printf 'nul\000\n'; } >c.csv
try tconv c.csv -o c.h5
printf 'a,b\r1,2\r3,4\r' >d.csv
try tconv d.csv -o d.h5
printf 'a,b\r1,2\n3,4\n' >e.csv
try tconv e.csv -o e.h5
try tconv "str=a$(printf '\001')b" -o f.csv
tconv "str=a$(printf '\001')b" -o f.h5
try tconv f.h5 -O csv
printf 'w\n"a\tb\r\nc"\nd\r\n' | tconv -o g.h5
tconv g.h5 -O csv | od -c
