# The options of a run, in every tool.
command -v script >/dev/null || { echo "script (bsdutils) is not installed" >&2; exit 77; }
. "$SUPPORT/every_option.sh"
# Long enough for several threads.
yes 3,1,4,1,5,3,2,0 | head -n 100000 >big.csv
head -n 4096 big.csv | tconv --no-header --dtype f32 --reshape 8,512,8 -o big.h5:/x
head -n 4096 big.csv | tconv --no-header --dtype f32 -o flat.h5:/x
tconv big.csv:/0 --no-header -o column.h5
head -n 64 big.csv | tconv --no-header --dtype f32 -o ids.h5:/x
head -n 24000 big.csv | tconv --no-header --dtype f32 -o long.h5:/x
yes '3 March 2021' | head -n 3000 >many.txt
tconv linspace=0,1,120 --reshape 4,30 -o wide.h5:/x

law_engine() { changes reals.h5 '' --engine reference; }
nwreg_engine() { adds errors 'the formula' x.h5 --verbose --engine reference; }
addnorm_engine() { changes x.h5 '--dtype f64' --engine reference; }
scores_engine() { changes x.h5 '' --engine reference; }
# The best ids are the same.
transformer_run_engine() { adds errors 'reference engine' x.h5 --verbose --engine reference; }

# The command that reads its input from a pipe.
piped() { printf '%s' "$stage" | sed 's/INPUT/-/; s/lines.txt/-/; s|3/3/2021||'; }

# As many threads as are asked for, seen while the process waits for more input.
law_threads() {
  # shellcheck disable=SC2046
  waits_with 3 $(piped) && waits_with 2 $(piped)
}
waits_with() { # THREADS COMMAND...
  count=$1
  shift
  [ -p in ] || mkfifo in
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
scores_threads() { stage='transformer-run -m dates --ids INPUT --decoder-ids ids.h5' law_threads; }
addnorm_threads() { stage='addnorm INPUT --no-residual' law_threads; }
# Tables are counted and parsed on threads.
list_threads() { waits_with 3 tconv --list big.csv in; }
tconv_threads() { list_threads; }
tplot_threads() { waits_with 3 tplot --scatter big.csv -x in; }
tdiff_threads() { waits_with 3 tdiff big.csv:/0 in; }
# The threads of a long table while it waits for its reader.
table_threads() { shows_table_with 3 && shows_table_with 2; }
shows_table_with() { # THREADS
  [ -p in ] || mkfifo in
  posenc --length 4096 --dim 64 -t "$1" >in 2>errors &
  process=$!
  exec 3<in
  has_threads "$1" "$process"
  found=$?
  cat <&3 >out
  exec 3<&-
  wait "$process" && [ $found -eq 0 ]
}

law_max_memory() { fails 71 x.h5 --max-memory 10; }
law_dry_run() { adds out '^memory  about [0-9]* bytes$' x.h5 --dry-run; }
text_dry_run() { adds out '^{"step":"memory","bytes":[0-9]*}$' x.h5 --dry-run; } # beside --json

law_progress() { adds errors "^$tool: done in " x.h5 --progress; }
# On a terminal, work of more than a second has a bar, and none with --no-progress.
law_no_progress() {
  draw '' bar &
  draw --no-progress no-bar
  wait $!
  grep -aq '\[###' bar && ! grep -aq '\[###' no-bar
}
draw() { # OPTION INTO
  case $name in text | lines | words) input=lines.txt ;; *) input=x.h5 ;; esac
  TERM=xterm script -qec "{ sleep 2; cat $input; } | $(piped) $1 >$2.out" "$2" >"$2.shown"
}
# A stream of lines has no end to be told from; the lines of a file have. A table waits for nothing.
words_no_progress() { adds errors ' % of ' x.h5 --progress; }
table_no_progress() { words_no_progress; }

law_quiet() { fails 2 x.h5 --quiet --verbose && run x.h5 --quiet && [ ! -s errors ]; }
# Notes are silenced where there are any.
silences() { run "$@" && [ -s errors ] && run "$@" --quiet && [ ! -s errors ]; }
attend_quiet() { silences x.h5 --score epanechnikov --bandwidth 5; }
mha_quiet() { silences x.h5 --valid-lens 1=0; }
nwreg_quiet() { silences x.h5 --bandwidth rot; }
tplot_quiet() { silences wide.h5 --curves; }

law_verbose() { adds errors ' threads, instruction set ' x.h5 --verbose; }
law_help() { adds out "^usage: $tool " x.h5 --help; }
law_version() { adds out '^instruction set ' x.h5 --version; }

table engine threads max-memory dry-run progress no-progress quiet verbose help version
