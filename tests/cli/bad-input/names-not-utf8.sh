# Names and text that are not UTF-8, which HDF5 holds: no table is made of them, which no tool would read back.
try() { "$@" 2>&1 || echo "exit code $?"; }
odd=$(printf 'a\377')
tconv 2=1,2 --rename "y=$odd" -o name.h5
tconv "2=1,2" -o "out.h5:/$odd"
tconv "str=$odd" -o text.h5
for format in csv tsv safetensors; do
  try tconv name.h5 -o out.$format
done
try softmax 2=1,2 -O csv -o "-:/$odd"
try tconv name.h5 -O csv --no-header
try tconv name.h5 -O csv --rename "$odd=é"
try tconv text.h5 -o out.csv
ls
