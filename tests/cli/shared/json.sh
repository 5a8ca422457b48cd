# --json: rows of tensors as JSON Lines, reports as objects; what is not finite is null. Each line is read back.
. "$SUPPORT/try.sh"
printf 'speed,name\n1.5,"a ""b"""\nnan,back\\slash\n-inf,"line\nend"\n' >t.csv
read_back() { # prints what a reader of JSON Lines has
  python3 -c '
import json, sys
def refuse(word): raise SystemExit("not JSON: " + word)
for line in sys.stdin:
    print(json.loads(line, parse_constant=refuse))'
}
echo "tensors"
tconv t.csv:/speed --json | read_back
tconv t.csv:/speed t.csv:/name --json
tconv 2x3xi64=1,2,9007199254740993,4,5,6 -O jsonl
tconv 2x2x1xf32=0.1,2,3,4 --json
tconv 2xbool=0,1 --json
tconv 0.5 --json
tconv 0x2=  -O jsonl
tconv t.csv:/speed -o t.jsonl
tconv t.csv:/speed --json | cmp - t.jsonl
tconv t.csv:/speed --json -o t.tsv
cat t.tsv
printf 'day,n\n2020-01-02,1\n2020-01-03,2\n' >dates.csv
tconv dates.csv --json
softmax 2x2=0,0,1,1 --json --precision 3
loss 1x2=0,0 --target 1xi64=1 --json --precision 3
# Several results of one number of rows; names of columns; several batches.
nwreg -x 3=1,2,3 -y 3=1,4,2 --bandwidth 1 --emit band,neff --with-query --json --precision 3
{ softmax 1=0 && softmax 2=0,0; } | tconv --json
try attend -q 2x1=1,2 -k 3x1=1,2,3 -v 3x1=1,2,3 --emit values --json
echo "reports"
nwreg -x 4=1,2,3,5 -y 4=1,4,2,3 --bandwidth 1 --summary --json | sed 's/"seconds":[0-9.e-]*/"seconds":S/'
nwreg -x 4=1,2,3,5 -y 4=1,4,2,3 --summary --json --quiet -o fit.csv | read_back | grep -o "bandwidth_chosen_by': '[a-z]*'"
wc -l <fit.csv
for width in 0.3333333333333333,2 knn:2; do
  nwreg -x 4x2=1,2,2,1,3,5,5,4 -y 4=1,4,2,3 --bandwidth $width --summary --json | grep -o '"bandwidth":[^"]*"[^"]*"'
done
nwreg -x 4=1,1,1,1 -y 4=1,1,1,1 --bandwidth 1 --summary --json | grep -o '"r_squared":.*"residual_sd":[^,]*'
attend -q 2x1=1,2 -k 3x1=1,2,3 -v 3x1=1,2,3 -n --json | sed 's/"bytes":[0-9]*}$/"bytes":N}/'
tconv --list --json t.csv:/speed | read_back 2>/dev/null || tconv --list --json t.csv:/speed | python3 -c 'import json, sys; print(json.load(sys.stdin)["tensors"][0])'
transformer-run -m "$CONFORMANCE/models/bert" --list --json >list
read_back <list >/dev/null
head -n 1 list
tail -n 1 list | tr ',' '\n' | cut -d : -f 1
echo "searches and look-ups"
printf 'one "line"\ntwo\tcells\nthree\n' >lines.txt
attend --score dot --emit topk=2 -q 2x1=1,-1 -k 3x1=0,1,2 --json
attend --score dot --emit topk=2 -q 1x1=1 -k 3x1=0,1,2 -v lines.txt --json | read_back
attend --score dot --valid-lens 1 --emit topk=2 -q 1x1=1 -k 3x1=0,1,2 --json
attend --score dot --emit topk=1 -q 2x1x1=1,2 -k 2x2x1=0,1,2,3 --json
attend --score dot --emit topk=1 -q 1x1=1 -k 3x1=0,1,2 --json -o top.csv
cat top.csv
attend --normalize hard -q str=Smith -k "$EXAMPLES/names.csv:/last" -v "$EXAMPLES/names.csv:/first" --json
echo "refused"
try attend --explain 0 -q 1x1=1 -k 1x1=1 -v 1x1=1 --json
