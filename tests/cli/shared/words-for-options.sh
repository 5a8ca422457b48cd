# A word where an operand is expected: the error names the option that is meant, or the form of a text.
. "$SUPPORT/try.sh"
printf 'x,y\n1,2\n2,3\n3,5\n' >p.csv
printf 'name,n\nSmith,2\n"O'\''Hara, jr",3\n' >people.csv
try attend p.csv --mask causal
try attend p.csv --mask is_causal
try attend p.csv --mask tril
try attend p.csv --mask none
try attend p.csv --bias alibi
try attend p.csv --mask local
try attend p.csv --score gaussian --bandwidth silverman
try attend p.csv --mask padding
try softmax p.csv --mask causal
try mha --stage attend 1x3x2=1 --heads 1 --mask padding
try attend -q Smith -k people.csv:/name -v people.csv:/n --normalize hard
try attend -q str=Smith -k people.csv:/name -v people.csv:/n --normalize hard -O csv
try attend -q "O'Hara" -k people.csv:/name -v people.csv:/n --normalize hard
try attend -q missing.csv -k people.csv:/name -v people.csv:/n
# Values of a choice.
try attend p.csv --score epan
try nwreg -x p.csv:/x -y p.csv:/y --kernel tri
try softmax p.csv --threads=all
# A forgotten value, and an output as cp takes it.
try softmax p.csv -o -f
try softmax p.csv -o --stats
[ ! -e ./-f ]
try softmax p.csv out.h5
# What exists is an input, and a literal is too.
try softmax p.csv p.csv
try loss p.csv 2xi64=0,1
try linear p.csv p.csv:/x
try attend p.csv p.csv
try tconv p.csv 'my out.h5'
try tplot p.csv out.png
try linear p.csv out.h5 -w 1x2=1,1
try tdiff p.csv none.h5
# Options of other programs.
for option in --delimiter --sep --dim --force --format --num-threads --num_threads --jobs --silent --tau --output-file --input -i; do
  try softmax p.csv $option 1
done
try attend p.csv --is_causal
try mha p.csv --key-padding-mask m.h5
try transformer-run -m bert-base-uncased text
