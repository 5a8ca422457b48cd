# What begins like a byte order mark comes back; text in another encoding, and with control characters, is told as such.
mark=$(printf '\357\273\277')
try() { tconv "$@" || echo "exit code $?"; }
tconv "2x1xstr=${mark}a,b" --no-history -o cell.h5
tconv cell.h5 -O csv --no-header | tee cell.csv | od -An -c | head -n 1
tconv cell.csv --no-header | tdiff - cell.h5
tconv cell.h5 -O csv | tconv - | tdiff - cell.h5
tconv 2=1,2 -o "name.h5:/${mark}n"
tconv name.h5 -O csv -o name.csv
tconv --list name.csv | grep -c "${mark}n"
printf '\357\273\277\357\273\277a\n1\n' >two.csv
tconv --list two.csv | grep -c "= \[a\]"
printf '\357\273\277"\357\273\277a"\n1\n' >quoted.csv
tconv --list quoted.csv | grep -c "= \[${mark}a\]"
printf '\357\273\2771,2\n3,4\n' | tconv | tdiff - 2x2=1,2,3,4
printf '\377\3761\000,\0002\000\n\000' >utf16.csv
printf '\377\3761,2\n' >mark.csv
printf '\376\377\0001\000,\0002\000\n' >big.csv
printf '\377\376\000\0001\000\000\000' >utf32.csv
printf '1,2\001\n' >control.csv
printf '1,\3512\n' >latin.csv
for file in utf16 mark big utf32 control latin; do try $file.csv -o out.h5; done
