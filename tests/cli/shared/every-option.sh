# Every option that tools share, in every tool: it does something that can be seen here, is refused with a reason, or is
# accepted where it has no effect.
# An option has a law, law_OPTION; where another thing is to be seen, a stage has a law of its own, STAGE_OPTION. The
# tests beside this one say in detail what options do; this one says that none is forgotten anywhere.
command -v script >/dev/null || { echo "script (bsdutils) is not installed" >&2; exit 77; }
. "$SUPPORT/stages.sh"
options="output output-format overwrite append emit keep keep-input dtype precision no-history timestamp
  check rtol atol stats fail-on-nonfinite slab header no-header delim comment no-quotes missing
  engine threads max-memory dry-run progress no-progress quiet verbose help version"

# STAGE: COMMAND. The stages of stages.sh under the names of their tools, and what else tools do.
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

# What asks for something that is not made there, or is no option of the tool.
of_tensors="append keep keep-input check emit"
refused_by() { # STAGE
  case $1 in
    softmax | posenc | tconv | linear | embed) echo emit ;;
    text) echo "$of_tensors" ;;
    lines) echo slab keep-input emit ;;
    words) echo slab "$of_tensors" ;;
    decode | list) echo output-format "$of_tensors" ;;
    table) echo keep-input emit ;;
    tdiff) echo output-format "$of_tensors" stats fail-on-nonfinite no-history timestamp dtype precision ;;
    tplot) echo output-format "$of_tensors" stats fail-on-nonfinite no-history timestamp dtype precision rtol atol ;;
  esac
}
# What has no effect there, and is accepted; --max-memory where all that is taken is small.
of_results="rtol atol stats fail-on-nonfinite no-history timestamp"
ignored_by() { # STAGE
  case $1 in
    softmax | posenc | tconv | tdiff | tplot) echo engine ;;
    text) echo precision slab header no-header delim missing "$of_results" ;;
    lines) echo header missing engine max-memory ;;
    words) echo header no-header delim missing engine dtype precision max-memory "$of_results" ;;
    decode) echo engine dtype precision "$of_results" ;;
    table) echo slab header missing engine max-memory ;;
    list) echo slab engine dtype precision "$of_results" ;;
  esac
}

# The same numbers as text, with a name, a NaN and others beside them; real numbers. All in f32, whose rounding tells
# engines apart.
for file in x y weights; do tconv $file.h5 --dtype f32 -f -o $file.h5; done
tconv linspace=-1,1.1,48 --reshape 6,8 --dtype f32 -o reals.h5:/x
{ seq -s , 0 46; echo nan; } | tr '\n' , | sed 's/,$//; s/^/6x8xf32=/' >nan
tconv "$(cat nan)" -o nan.h5:/x
tconv x.h5 -O csv --no-header -o plain.csv
{ echo 1,2,3,4,5,3,2,0; cat plain.csv; } >numbered.csv
{ echo a,b,c,d,e,f,g,h; cat plain.csv; } >named.csv
{ cat plain.csv; echo 1,2,,4,5,6,7,NA; } >missing.csv
tr , ';' <plain.csv >semicolons.csv
tconv x.h5 -o more.h5
tconv 3=7,8,9 -A -o more.h5:/other
printf '3 March 2021\n4 May\n' >lines.txt
# Long enough for several threads.
yes 3,1,4,1,5,3,2,0 | head -n 100000 >big.csv
head -n 4096 big.csv | tconv --no-header --dtype f32 --reshape 8,512,8 -o big.h5:/x
head -n 4096 big.csv | tconv --no-header --dtype f32 -o flat.h5:/x
tconv big.csv:/0 --no-header -o column.h5
head -n 64 big.csv | tconv --no-header --dtype f32 -o ids.h5:/x
head -n 24000 big.csv | tconv --no-header --dtype f32 -o long.h5:/x
yes '3 March 2021' | head -n 3000 >many.txt
tconv linspace=0,1,120 --reshape 4,30 -o wide.h5:/x
tconv 2x13=7 -o sevens.h5:/ids
mkdir dates
cp "$EXAMPLES"/dates/*.json "$EXAMPLES"/dates/*.safetensors dates

# What is seen of the stage.
run() { stage_on "$@" >out 2>errors; } # FILE OPTION...
fails() {                              # CODE FILE OPTION...
  expected=$1 code=0
  shift
  run "$@" || code=$?
  [ $code -eq "$expected" ] && [ "$(wc -l <errors)" -eq 1 ]
}
changes() { # FILE ALWAYS OPTION...: another result; without the history, which tells of options
  file=$1 always=$2
  shift 2
  is_refused no-history || case $always in *csv*) ;; *) always="$always --no-history" ;; esac
  # shellcheck disable=SC2086
  run "$file" $always && mv out before && run "$file" $always "$@" && ! cmp -s before out
}
adds() { # WHERE PATTERN FILE OPTION...: a line of out, errors or listed, the list of the tensors that come out
  where=$1 pattern=$2 file=$3
  shift 3
  seen "$file" && ! grep -aq -e "$pattern" "$where" && seen "$file" "$@" && grep -aq -e "$pattern" "$where"
}
seen() { run "$@" && { [ "$where" != listed ] || tconv --list out >listed; }; }

law_output() { rm -f made && run x.h5 -o made && [ -s made ] && [ ! -s out ]; }
law_output_format() { changes x.h5 '' -O safetensors; }
law_overwrite() { echo old >made && fails 73 x.h5 -o made && run x.h5 -f -o made && ! grep -qx old made; }
law_append() {
  tconv 1=5 -f -o made.h5:/first
  run x.h5 -A -o made.h5:/second && tdiff made.h5:/first 1=5 && tconv --list made.h5 | grep -q '^second '
}
# Each name that the tool knows is there, or is refused where something else would have to be asked for.
law_emit() {
  fails 2 x.h5 --emit nothing || return 1
  for one in $(sed 's/.*is not one of//; s/,//g; s/=K/=1/g' errors); do
    shown=${one%=*} && [ "$shown" != state ] || shown=part
    run x.h5 -O h5 --emit "$one" && tconv --list out | grep -q "^$shown" || fails 2 x.h5 --emit "$one" ||
      { echo "--emit $one: $(cat errors)" && return 1; }
  done
}
law_keep() { adds listed '^other ' more.h5:/x --keep other; }
law_keep_input() { run more.h5:/x --keep-input && tdiff out:/x x.h5; }
law_dtype() { adds listed ' f16' x.h5 --dtype f16; }
law_precision() { changes reals.h5 '-O csv' --precision 2; }
law_no_history() {
  run x.h5 && tconv --list out | grep -q @history && run x.h5 --no-history && ! tconv --list out | grep -q @history
}
law_timestamp() { adds listed '@history = 20..-' x.h5 --timestamp; }
wrong() { # by 1 %
  run x.h5 -O csv && larger out >wrong.csv
}
larger() { awk -F, -v OFS=, '/^[-0-9.]/ { for (i = 1; i <= NF; ++i) $i *= 1.01 } { print }' "$1"; }
law_check() { wrong && fails 1 x.h5 --check wrong.csv; }
law_rtol() { wrong && run x.h5 --check wrong.csv --rtol 0.02; }
law_atol() { wrong && run x.h5 --check wrong.csv --atol 100; }
law_stats() { adds errors ': min .*, max .*, mean .*, sd ' x.h5 --stats; }
law_fail_on_nonfinite() { run nan.h5 && fails 1 nan.h5 --fail-on-nonfinite && [ ! -s out ]; }
law_slab() { changes x.h5 '' --slab input=0:4; }
law_header() { changes numbered.csv '' --header; }
law_no_header() { run named.csv && fails 65 named.csv --no-header; }
law_delim() { ! run semicolons.csv && run semicolons.csv --delim ';'; }
law_comment() { { echo '%1'; cat plain.csv; } >commented.csv && fails 65 commented.csv --no-header && run commented.csv --no-header --comment %; }
law_no_quotes() {
  { echo '",b,c,d,e,f,g,"h'; cat plain.csv; } >quoted.csv && fails 65 quoted.csv && run quoted.csv --no-quotes
}
law_missing() { fails 65 missing.csv && run missing.csv --missing omit; }
law_engine() { changes reals.h5 '' --engine reference; }
law_max_memory() { fails 71 x.h5 --max-memory 10; }
law_dry_run() { adds out '^memory  about [0-9]* bytes$' x.h5 --dry-run; }
law_progress() { adds errors "^$tool: done in " x.h5 --progress; }
# A stream of lines has no end to be told from; the lines of a file have.
words_no_progress() { adds errors ' % of ' x.h5 --progress; }
table_no_progress() { words_no_progress; } # which waits for nothing
law_no_progress() {
  # shellcheck disable=SC2086
  wait $drawing
  grep -aq '\[###' bar && ! grep -aq '\[###' no-bar
}
law_quiet() { fails 2 x.h5 --quiet --verbose && run x.h5 --quiet && [ ! -s errors ]; }
law_verbose() { adds errors ' threads, instruction set ' x.h5 --verbose; }
law_help() { adds out "^usage: $tool " x.h5 --help; }
law_version() { adds out '^instruction set ' x.h5 --version; }
# As many threads as are asked for, seen while the process waits for more input.
law_threads() {
  command=$(printf '%s' "$stage" | sed 's/INPUT/-/; s/lines.txt/-/; s|3/3/2021||')
  # shellcheck disable=SC2086
  waits_with 3 $command && waits_with 2 $command
}
waits_with() { # THREADS COMMAND...: reads from the pipe "in"
  count=$1
  shift
  "$@" -t "$count" <in >out 2>errors &
  process=$!
  exec 3>in
  case $name in
    text | lines | words) cat many.txt ;;
    linear | ffn | embed) cat long.h5 ;;
    nwreg) cat flat.h5 ;;
    transformer-run | scores | decode) cat ids.h5 ;;
    tdiff | tplot) cat column.h5 ;;
    *) cat big.h5 ;;
  esac >&3
  has_threads "$count" "$process"
  found=$?
  exec 3>&-
  wait "$process" && [ $found -eq 0 ]
}
has_threads() { # COUNT PROCESS
  tries=0
  until grep -q "^Threads:.$1\$" "/proc/$2/status" || [ $tries -gt 2000 ]; do
    tries=$((tries + 1))
    sleep 0.01
  done 2>gone
  [ $tries -le 2000 ]
}

# Where a law looks elsewhere.
of_input() { changes x.h5 '' --slab "$1=0:4"; }
attend_slab() { of_input query; }
nwreg_slab() { of_input queries; }
transformer_run_slab() { of_input ids; }
decode_slab() { of_input ids; }
tconv_keep_input() { run more.h5:/x --rename x=z --keep-input && tdiff out:/x x.h5; }
tconv_slab() { changes x.h5 '' --slab 0:4; }
addnorm_slab() { fails 65 x.h5 --slab input=0:4; } # whose residual has six rows
scores_slab() { fails 65 x.h5 --slab ids=0:4; }    # and whose other ids
tplot_output() { rm -f made.svg && run x.h5 -o made.svg && grep -q '<svg' made.svg && [ ! -s out ]; }
tplot_overwrite() {
  echo old >made.svg && fails 73 x.h5 -o made.svg && run x.h5 -f -o made.svg && grep -q '<svg' made.svg
}
tdiff_output() { rm -f report && ! run reals.h5 -o report && [ -s report ] && [ ! -s out ]; }
tdiff_overwrite() { echo old >report && fails 73 x.h5 -o report && run x.h5 -f -o report && [ ! -s report ]; }
text_overwrite() {
  echo old >made.txt && fails 73 x.h5 -o made.txt && run x.h5 -f -o made.txt && grep -q 2021 made.txt
}
text_output() { rm -f made.txt && run x.h5 -o made.txt && grep -q 2021 made.txt && [ ! -s out ]; }
text_output_format() { fails 2 x.h5 -O csv; } # beside --json
table_keep() { fails 66 x.h5 --keep other; } # which is in no input, as there is none
lines_keep() { fails 66 x.h5 --keep other; }
tconv_keep() { ! run more.h5:/x --keep first && adds listed '^other ' more.h5:/x --keep other; }
transformer_run_dtype() { adds listed ' f16' x.h5 --emit scores --dtype f16; }
text_dtype() { changes x.h5 '' --dtype f64; }
lines_dtype() { adds listed ' i32' x.h5 --dtype i32; }
embed_precision() { changes x.h5 '-O csv' --precision 2; }
transformer_run_precision() { changes x.h5 '-O csv --emit scores' --precision 2; }
scores_precision() { changes x.h5 '-O csv' --precision 2; }
lines_precision() { changes x.h5 '-O csv --dtype f32' --precision 1; }
lines_check() { fails 1 x.h5 --check sevens.h5:/ids; }
lines_rtol() { run x.h5 --check sevens.h5:/ids --rtol 100; }
lines_atol() { run x.h5 --check sevens.h5:/ids --atol 100; }
lines_output_format() { changes x.h5 '' -O safetensors; }
nwreg_fail_on_nonfinite() { fails 1 nan.h5 --quiet --fail-on-nonfinite && [ ! -s out ]; } # beside a note on queries
# Ids are finite; their scores need not be.
transformer_run_fail_on_nonfinite() { run x.h5 --fail-on-nonfinite && run x.h5 --emit scores --fail-on-nonfinite; }
# The largest f16 is 65504.
lines_fail_on_nonfinite() {
  mkdir far
  echo '{"model": {"type": "WordLevel", "vocab": {"[UNK]": 70000}, "unk_token": "[UNK]"}}' >far/tokenizer.json
  run x.h5 -m far --dtype f16 && fails 1 x.h5 -m far --dtype f16 --fail-on-nonfinite && [ ! -s out ]
}
table_fail_on_nonfinite() (
  stage='posenc --length 6 --kind learned -w nan.h5:/x'
  run x.h5 && fails 1 x.h5 --fail-on-nonfinite && [ ! -s out ]
)
scores_fail_on_nonfinite() {
  cp -rL dates spoilt
  end=$(($(wc -c <spoilt/model.safetensors) - 4))
  printf '\000\000\300\177' | dd of=spoilt/model.safetensors bs=1 seek=$end conv=notrunc 2>errors
  run x.h5 -m spoilt && fails 1 x.h5 -m spoilt --fail-on-nonfinite
}
# Where no table is read there are no comments and no quotes.
for without in text lines words table; do eval "${without}_comment() { :; }; ${without}_no_quotes() { :; }"; done
# The result has a header and a delimiter where no table is read.
writes_table() { changes x.h5 '-O csv' "$@"; }
lines_no_header() { writes_table --no-header; }
lines_delim() { writes_table --delim ';'; }
table_no_header() { writes_table --no-header; }
table_delim() { writes_table --delim ';'; }
nwreg_engine() { adds errors 'the formula' x.h5 --verbose --engine reference; }
addnorm_engine() { changes x.h5 '--dtype f64' --engine reference; }
scores_engine() { changes x.h5 '' --engine reference; }
# The best ids are the same.
transformer_run_engine() { adds errors 'reference engine' x.h5 --verbose --engine reference; }
text_engine() { law_engine; }
# A row more does not fit the other tensors.
tdiff_header() { ! run numbered.csv && run numbered.csv --header; }
addnorm_header() { tdiff_header; }
scores_header() { tdiff_header; }
tdiff_slab() {
  tconv x.h5 --slab 0:4 -f -o part.h5
  ! tdiff part.h5 x.h5 >gone && tdiff part.h5 x.h5 --slab b=0:4
}
tdiff_rtol() {
  larger plain.csv >wrong.csv
  ! run wrong.csv && run wrong.csv --rtol 0.02
}
tdiff_atol() { ! run reals.h5 && run reals.h5 --atol 1000; }
# Tables are counted and parsed on threads.
tconv_threads() { list_threads; }
tplot_threads() { waits_with 3 tplot --scatter big.csv -x in; }
tdiff_threads() { waits_with 3 tdiff big.csv:/0 in; }
list_threads() { waits_with 3 tconv --list big.csv in; }
# The threads of a long table while it waits for its reader.
table_threads() { shows_table_with 3 && shows_table_with 2; }
shows_table_with() { # THREADS
  posenc --length 4096 --dim 64 -t "$1" >in 2>errors &
  process=$!
  exec 3<in
  has_threads "$1" "$process"
  found=$?
  cat <&3 >out
  exec 3<&-
  wait "$process" && [ $found -eq 0 ]
}
scores_threads() { stage='transformer-run -m dates --ids INPUT --decoder-ids ids.h5' law_threads; }
addnorm_threads() { stage='addnorm INPUT --no-residual' law_threads; }
# Notes are silenced where there are any.
silences() { run "$@" && [ -s errors ] && run "$@" --quiet && [ ! -s errors ]; }
attend_quiet() { silences x.h5 --score epanechnikov --bandwidth 5; }
mha_quiet() { silences x.h5 --valid-lens 1=0; }
nwreg_quiet() { silences x.h5 --bandwidth rot; }
tplot_quiet() { silences wide.h5 --curves; }

is_among() { case " $(echo "$2" | tr '\n' ' ') " in *" $1 "*) ;; *) return 1 ;; esac; } # OPTION LIST
is_refused() { is_among "$1" "$(refused_by "$name")"; }
is_ignored() { is_among "$1" "$(ignored_by "$name")"; }
# With a value that would be good elsewhere.
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
    missing) echo "--$1 nan" ;;
    engine) echo "--$1 reference" ;;
    max-memory) echo "--$1 10" ;;
    *) echo "--$1" ;;
  esac
}
# shellcheck disable=SC2046
refuses() { fails 2 x.h5 $(with_value "$1") && grep -q "^$tool: .*--$1.*: " errors; }
ignores() {
  case $name in tdiff | tplot | text | words | decode | list) own_history= ;; *) own_history=--no-history ;; esac
  # shellcheck disable=SC2046,SC2086
  run x.h5 $own_history && mv out before && run x.h5 $own_history $(with_value "$1") && cmp -s before out
}
# On a terminal, work of more than a second has a bar, and none with --no-progress. The time passes before the input
# comes, and beside the rest of the test.
draw() { # OPTION INTO
  command=$(printf '%s' "$stage" | sed 's/INPUT/-/; s/lines.txt/-/; s|3/3/2021||')
  case $name in text | lines | words) input=lines.txt ;; *) input=x.h5 ;; esac
  TERM=xterm script -qec "{ sleep 2; cat $input; } | $command $1 >$2.out" "$2" >$2.shown &
  drawing="$drawing $!"
}
examine() {
  tool=${stage%% *} drawing=
  draw '' bar
  draw --no-progress no-bar
  for option in $options; do
    function=$(echo "$option" | tr - _)
    own=$(echo "$name" | tr - _)_$function
    if is_refused "$option"; then
      refuses "$option" || echo "$name: --$option is not refused: $(cat errors)"
    elif is_ignored "$option"; then
      ignores "$option" || echo "$name: --$option is not ignored: $(cat errors)"
    else
      type "$own" >gone 2>&1 || own=law_$function
      $own || echo "$name: --$option does nothing: $(cat errors)"
    fi
  done
}
# Each stage in a directory of its own, all at once.
mkdir inputs
mv ./*.h5 ./*.csv ./*.txt dates inputs
printf '%s\n' "$stages" >stages
while IFS= read -r line <&8; do
  name=${line%%: *} stage=${line#*: }
  cp -rs "$PWD/inputs" "$name"
  (cd "$name" && mkfifo in && examine && echo "$name" >>../examined) 8<&- &
done 8<stages
wait
echo "$(wc -l <examined) of $(wc -l <stages) stages examined"
