# --check of several results compares each with that of its name; streams are compared to their ends.
try() { "$@" >out.h5 || echo "exit code $?"; }
tconv linspace=0,1,6 --reshape 2,3 --rename y=x -o x.h5
tconv 2xi64=1,2 -A -o x.h5:/ids
tconv x.h5 -o x2.h5
tconv 2xi64=1,77 -A -f -o x2.h5:/ids
tconv x.h5 -o x3.h5 --select x
echo "-- files" >&2
try tconv x.h5 --check x.h5
try tconv x.h5 --check x2.h5
try tconv x.h5 --check x2.h5 --atol 100
try tconv x.h5 --check x3.h5
tdiff out.h5 x.h5
echo "-- one of them" >&2
try tconv x.h5 --check x.h5:/x
try tconv x.h5 --check x2.h5:/ids
echo "-- none of them" >&2
try tconv x.h5 --check 2=1,2
try tconv x.h5:/x --split 0 --check x.h5:/x
tconv x.h5:/x -O csv -o x.csv
try tconv x.h5 --check x.csv
echo "-- emitted" >&2
posenc --length 3 --dim 4 -o a.h5
attend a.h5 --emit weights,lse -o good.h5
try attend a.h5 --emit weights,lse --check good.h5
tconv good.h5:/weights --reshape 9 | tconv - --slab ::-1 | tconv - --reshape 3,3 -o bad.h5:/weights
tconv good.h5:/y -A -o bad.h5:/y
try attend a.h5 --emit weights,lse --check bad.h5 --atol 0.5
try attend a.h5 --emit lse --check good.h5:/y
echo "-- streams" >&2
cat a.h5 a.h5 | softmax >two.h5
softmax a.h5 >one.h5
softmax a.h5 --check two.h5 >out.h5 || echo "exit code $?"
tdiff out.h5 one.h5
cat a.h5 a.h5 | softmax --check one.h5 >out.h5 || echo "exit code $?"
tdiff out.h5 two.h5
cat a.h5 a.h5 | softmax --check two.h5 >out.h5
cat a.h5 a.h5 | softmax --check "12=$(seq -s , 12)" >out.h5 || echo "exit code $?"
# A file of one batch for a result of one.
softmax two.h5 --check two.h5 --atol 1 >out.h5
softmax a.h5 --check two.h5 -O csv -o one.csv || echo "exit code $?"
[ -s one.csv ]
