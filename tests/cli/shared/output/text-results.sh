# A result that is lines of text goes into no file that its name, or a dataset, calls one of tensors.
tconv 2x2=1,2,3,4 -o x.h5
echo 3 >lines.txt
dates=$EXAMPLES/dates
list() { tconv --list x.h5 "$@"; }
list_json() { tconv --list --json x.h5 "$@"; }
difference() { tdiff x.h5 1 "$@"; }
explanation() { attend -q x.h5 -k x.h5 -v x.h5 --explain 0 "$@"; }
vocabulary() { tokenize -m "$dates" --list "$@"; }
words() { printf '12 4\n' | tokenize -m "$dates" --decode "$@"; }
stages() { transformer-run -m "$dates" --list "$@"; }
for result in list list_json difference explanation vocabulary words stages; do
  for name in r.npy r.h5 r.CSV r.safetensors r.txt:/x -:/x r.txt.gz; do
    code=0
    "$result" -o "$name" >out 2>error || code=$?
    [ "$code" -eq 2 ] || echo "$result -o $name: exit code $code"
    [ ! -s out ] || echo "$result -o $name: prints something"
    sed "s/^[a-z-]*:/$result:/" error
  done
  "$result" -n -o r.npy >out 2>&1 && echo "$result -n -o r.npy: is taken"
  [ "$(echo r*)" = "r*" ] || echo "$result: has made $(echo r*)"
  "$result" -o r.txt || [ "$result" = difference ]
  "$result" >direct || [ "$result" = difference ]
  cmp r.txt direct || exit 1
  rm r.txt
done

# What can be both is text, unless its name is one of tensors.
lookup() { attend --normalize hard -q str=b -k str=a,b -v str=Smith,Sato "$@"; }
tokens() { tokenize -m "$dates" lines.txt "$@"; }
answers() { transformer-run -m "$dates" "3 May 2021" "$@"; }
for result in lookup tokens answers; do
  "$result" >direct
  for name in r.txt r r.json; do
    "$result" -o "$name"
    cmp "$name" direct || echo "$result -o $name is not what is printed"
  done
  "$result" -o r.csv.gz 2>/dev/null && echo "$result -o r.csv.gz: is taken"
  for name in t.h5 t.tsv t.h5:/z; do
    rm -f t.h5
    "$result" -o "$name" >/dev/null 2>&1 || true
    tconv --list "$name" >/dev/null 2>&1 || echo "$result -o $name is no tensor"
  done
  "$result" -o -:/z | tconv --list -:/z >/dev/null || echo "$result -o -:/z is no tensor"
  { "$result" -O h5 -o t && tconv --list t >/dev/null; } || echo "$result -O h5 -o t is no tensor"
  rm -f r r.* t t.*
done
