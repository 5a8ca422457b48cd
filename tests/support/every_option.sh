# Sourced by the tests of tests/cli/shared/every-option: what becomes of an option in each stage.
#   table OPTION...
# prints a line for each stage and a column for each option:
#   works    the law of the option holds: something can be seen of it
#   refused  the tool names the option, with exit code 2
#   ignored  it is accepted, and the result is the same without it
# The law of an option is a function law_OPTION; where something else is to be seen, a stage has its own, STAGE_OPTION.
. "$SUPPORT/stages.sh"
# The stages of stages.sh under the names of their tools, and what else tools do.
stages="$(printf '%s\n' "$stages" | sed 's/^\([a-z-]*\) .*/\1: &/; s/^embed: embed/& --logits/; s|-m [^ ]*|-m dates|')
scores: transformer-run -m dates --ids INPUT --decoder-ids x.h5
text: transformer-run -m dates --json 3/3/2021
lines: tokenize -m dates lines.txt -O h5
words: tokenize -m dates lines.txt
decode: tokenize -m dates --decode --ids INPUT
table: posenc --length 6 --dim 8
list: tconv --list --values INPUT
tdiff: tdiff INPUT x.h5
tplot: tplot INPUT -o -"

# All in f32, whose rounding tells engines apart.
for file in x y weights; do tconv $file.h5 --dtype f32 -f -o $file.h5; done
tconv linspace=-1,1.1,48 --reshape 6,8 --dtype f32 -o reals.h5:/x
printf '3 March 2021\n4 May\n' >lines.txt
mkdir dates
cp "$EXAMPLES"/dates/*.json "$EXAMPLES"/dates/*.safetensors dates

# For laws. Results go into out, what a tool says into errors.
run() { stage_on "$@" >out 2>errors; } # FILE OPTION...
fails() {                              # CODE FILE OPTION...
  expected=$1 code=0
  shift
  run "$@" || code=$?
  [ $code -eq "$expected" ] && [ "$(wc -l <errors)" -eq 1 ]
}
changes() { # FILE ALWAYS OPTION...: another result than without the option
  file=$1 always="$2 $history"
  shift 2
  # shellcheck disable=SC2086
  run "$file" $always && mv out before && run "$file" $always "$@" && ! cmp -s before out
}
adds() { # WHERE PATTERN FILE OPTION...: a line of out, errors or listed, the list of the tensors that come out
  where=$1 pattern=$2 file=$3
  shift 3
  seen "$file" && ! grep -aq -e "$pattern" "$where" && seen "$file" "$@" && grep -aq -e "$pattern" "$where"
}
seen() { run "$@" && { [ "$where" != listed ] || tconv --list out >listed; }; }

# An option with a value that would be good somewhere.
with_value() { # OPTION
  case $1 in
    output) echo "--$1 made.h5" ;;
    output-format) echo "--$1 csv" ;;
    emit | keep) echo "--$1 x" ;;
    dtype) echo "--$1 f32" ;;
    check) echo "--$1 x.h5" ;;
    precision | rtol | atol) echo "--$1 1" ;;
    slab) case $name in text) echo "--$1 ids=0:4" ;; *) echo "--$1 input=0:4" ;; esac ;;
    delim) echo "--$1 ;" ;;
    comment) echo "--$1 %" ;;
    missing) echo "--$1 nan" ;;
    engine) echo "--$1 reference" ;;
    max-memory) echo "--$1 10" ;;
    *) echo "--$1" ;;
  esac
}
works() { # OPTION
  law=$(echo "$1" | tr - _) own=$(echo "$name" | tr - _)_$law
  command -v "$own" >/dev/null || own=law_$law
  $own
}
# shellcheck disable=SC2046
refused() { fails 2 x.h5 $(with_value "$1") && grep -q "^$tool: .*--$1.*: " errors; }
# shellcheck disable=SC2046,SC2086
ignored() { run x.h5 $history && mv out before && run x.h5 $history $(with_value "$1") && cmp -s before out; }

examine() { # OPTION...: the line of a stage
  tool=${stage%% *} history=
  run x.h5
  ! tconv --list out 2>errors | grep -q @history || history=--no-history
  printf '%-15s' "$name"
  for option; do
    for outcome in works refused ignored nothing; do
      [ $outcome = nothing ] || $outcome "$option" >said 2>&1 || continue
      break
    done
    [ $outcome != nothing ] || echo "$name: --$option: $(cat said errors)" >>complaints
    cell "$option" $outcome
  done
  echo
}
cell() { # OPTION TEXT: in the column of the option
  width=${#1}
  [ "$width" -ge 7 ] || width=7
  printf "  %-${width}s" "$2"
}

# Each stage in a directory of its own, all at once.
table() { # OPTION...
  mkdir inputs
  for input in *.h5 *.csv *.txt dates; do [ ! -e "$input" ] || mv "$input" inputs; done
  printf '%s\n' "$stages" >stages
  while IFS= read -r line <&8; do
    name=${line%%: *} stage=${line#*: }
    cp -rs "$PWD/inputs" "$name"
    (cd "$name" && examine "$@" >line) 8<&- &
  done 8<stages
  wait
  {
    printf '%15s' ''
    for option; do cell "$option" "$option"; done
    echo
    while IFS= read -r line; do cat "${line%%: *}/line"; done <stages
  } | sed 's/ *$//'
  cat ./*/complaints 2>/dev/null || true
}
