# What says how tables are read or written would do nothing where none is: a mistake, in every tool.
. "$SUPPORT/stages.sh"
tconv x.h5 -O csv --no-header -o plain.csv
refused() { # OPTION...
  code=0
  stage_on x.h5 "$@" 2>errors >out || code=$?
  [ $code -eq 2 ] && grep -q "^$tool: $1: would do nothing, as no table is " errors && [ ! -s out ] ||
    complain "$*: exit code $code, $(cat errors)"
}
body() {
  refused --header
  refused --no-header -O npy
  refused --delim ';' --dry-run
  refused --precision 3
  refused --precision 3 -O safetensors
  case $tool in nwreg) ;; *) refused --missing nan -O csv ;; esac # where NaN of any input is missing
  stage_on plain.csv --no-header --delim , --missing error >out || complain "a table that is read"
  stage_on x.h5 --no-header --delim ';' -O csv >out || complain "a table that is written"
  stage_on x.h5 -o y$tool.csv --delim ';' || complain "a table by its name"
  stage_on x.h5 --check plain.csv --no-header >out 2>errors || [ $? -eq 1 ] || complain "--check of a table"
}
for_each_stage body
for command in "tconv --list x.h5" "tdiff x.h5 x.h5" "tplot x.h5 -o x.svg" "tokenize -m $EXAMPLES/dates --decode --ids x.h5"; do
  for option in --header '--delim ;' '--missing nan'; do
    code=0
    $command $option 2>errors >out || code=$?
    [ $code -eq 2 ] && [ ! -s out ] && grep -q 'would do nothing, as no table is read' errors || echo "$command $option: $code"
  done
done
[ ! -e x.svg ]
