# What was probably meant: an option by its letter, its beginning or a slip; a literal where the numbers of one are no file.
for option in --o --l --out --axs --outptu --xyz --a; do softmax 3=1 $option || :; done
for operand in 2x=1 x2=1 1,2,3 2xf23=1,2 nothing.csv n=a; do softmax $operand || echo "$operand: exit code $?"; done
# Hints that lead somewhere: what they say works.
follow() { # TOOL OPERAND...
  "$@" >out 2>errors && echo "$*: not refused" && return
  cat errors
  meant=$(sed -n 's/.*did you mean \([^ ]*\)?.*/\1/p' errors)
  [ -z "$meant" ] || "$1" "$meant" -O csv >out 2>&1 || echo "$1 $meant: $(cat out)"
}
tconv 2=1,2 -o n.h5:/table
tconv 2=1,2 -A -o n.h5:/other
for operand in 2x2f32=1,2,3,4 2X2=1 '2 x 2xf32=1' '2*2xF32=1' 2xf23=1,2 I64=7 2xflt=1,2 linspce=0,1,5 Linspace=0,1,5 linspce=0,1 \
  n.h5:table n.h5/table n.h5:table/ str1=a sttr=a,b; do
  follow tconv "$operand"
done
# What is no literal, and why.
for operand in 2x3xf99=1,2,3 '0.5[0]' '3=1,2,3[0]' 2xu8=-1,2; do tconv "$operand" 2>&1 || echo "exit code $?"; done
for option in '-t -3' '-t 0'; do tconv 1 $option 2>&1 || echo "exit code $?"; done
tokenize -m "$EXAMPLES/dates" -O h5 --keep-input </dev/null 2>&1 || echo "exit code $?"
tdiff --keep y 1 1 2>&1 || echo "exit code $?"
for operand in n.h5:/Table n.h5:/OTHER; do softmax "$operand" || :; done
tconv 1=1 -o c.h5:/y
tconv 1=1 -A -o c.h5:/x2
softmax c.h5:/Y || :
# One dash in front of a long name.
for option in -output -output=x.h5 -axis -dtype; do softmax 3=1 $option 0 || echo "$option: exit code $?"; done
softmax 3=1 -o -output -f
tdiff -- -output 3=0.3333333333333333
[ ! -e utput ]
# Digits beyond f64: what the hint says can be read.
{ echo a,b; yes 1,1.5 | head -n 1000; echo 9007199254740993,1; } >mixed.csv
{ echo a,b; yes 1,-1 | head -n 1000; echo 9007199254740993,1; } >signed.csv
{ echo a,b; yes 1,-1 | head -n 1000; echo 18446744073709551615,1; } >unsigned.csv
for file in mixed signed unsigned; do
  tconv $file.csv -o none.h5 2>errors || cat errors
  grep -o '# dtype=[a-z0-9]*' errors | while read -r line; do
    { echo "$line" && cat $file.csv; } >hinted.csv
    tconv hinted.csv -f -o hinted.h5
  done
done
