# What prints lines touches no standard input that it was not told to, is ended quietly by a reader that leaves, and fails
# where the lines cannot be written.
tconv 2x2=1,2,3,4 -o x.h5
printf '3 March 2021\n' >lines.txt
dates=$EXAMPLES/dates
while IFS= read -r command <&8; do
  echo untouched | { $command >expected 2>errors || [ "$(cat errors)" = "" ]; cat; } | grep -qx untouched || echo "$command: reads standard input"
  $command >out <&- || case $command in tdiff*) ;; *) echo "$command: needs standard input" ;; esac
  cmp out expected
  code=0
  $command >/dev/full 2>errors || code=$?
  [ $code -eq 74 ] && [ "$(wc -l <errors)" -eq 1 ] || echo "$command >/dev/full: $code, $(cat errors)"
  code=0
  $command >&- 2>errors || code=$?
  [ $code -eq 74 ] && [ "$(wc -l <errors)" -eq 1 ] || echo "$command >&-: $code, $(cat errors)"
  { sleep 0.05; code=0; $command 2>errors || code=$?; echo $code >code; } | true
  [ "$(cat code)" = 141 ] && [ ! -s errors ] || echo "$command | true: $(cat code) $(cat errors)"
done 8<<COMMANDS
tconv --list x.h5
tconv --list --values --json x.h5
tconv --dry-run x.h5
tconv --help
tconv --version
tdiff x.h5 1
tdiff x.h5 1 --json
attend -q x.h5 -k x.h5 -v x.h5 --explain 0
attend --normalize hard -q str=b -k str=a,b -v str=Smith,Sato
tokenize -m $dates lines.txt
tokenize -m $dates --decode --ids x.h5
tokenize -m $dates --list
transformer-run -m $dates 3/3/2021
transformer-run -m $dates --json 3/3/2021
transformer-run -m $dates --list
tplot x.h5 --heatmap
nwreg --plot-kernel - --kernel gaussian
COMMANDS
