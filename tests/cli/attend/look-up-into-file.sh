# What a look-up of text finds are lines of text in the file of -o too, unless a suffix, -O or a dataset asks for tensors.
look_up() { attend --normalize hard -k "$EXAMPLES/names.csv:/last" -v "$EXAMPLES/names.csv:/first" -q str=Smith,Sato "$@"; }
look_up >expected
look_up -o found.txt
cmp found.txt expected
look_up -o found
cmp found expected
look_up -o found.txt 2>&1 || echo "exit code $?"
look_up -f -o found.txt
for options in "-A -o found.txt" "-f -o found.txt --check 2=1"; do
  # shellcheck disable=SC2086
  look_up $options 2>&1 || echo "exit code $?"
done
cmp found.txt expected
look_up -n -o dry.txt >/dev/null
[ ! -e dry.txt ]
mkfifo pipe
cat pipe >through &
look_up -o pipe
wait
cmp through expected
look_up -o found.h5
look_up -o NAMED.H5
look_up -o named:/first
look_up -O h5 -o tensors
for file in found.h5 NAMED.H5 named tensors; do tconv --list $file | sed '/^@/d'; done
look_up -o FOUND.CSV
cat FOUND.CSV
# Numbers that are found are tensors, which no .txt holds.
attend --normalize hard -q str=b,a -k str=a,b -v 2x1=10,20 -o numbers.txt 2>&1 || echo "exit code $?"
attend --normalize hard -q str=b,a -k str=a,b -v 2x1=10,20 -o numbers
tconv numbers -O csv
