# The options of results, in every tool.
. "$SUPPORT/every_option.sh"
tconv x.h5 -o more.h5
tconv 3=7,8,9 -A -o more.h5:/other

law_output() { rm -f made && run x.h5 -o made && [ -s made ] && [ ! -s out ]; }
text_output() { rm -f made.txt && run x.h5 -o made.txt && grep -q 2021 made.txt && [ ! -s out ]; }
tplot_output() { rm -f made.svg && run x.h5 -o made.svg && grep -q '<svg' made.svg && [ ! -s out ]; }
tdiff_output() { rm -f report && ! run reals.h5 -o report && [ -s report ] && [ ! -s out ]; }

law_output_format() { changes x.h5 '' -O safetensors; }

law_overwrite() { echo old >made && fails 73 x.h5 -o made && run x.h5 -f -o made && ! grep -qx old made; }
text_overwrite() {
  echo old >made.txt && fails 73 x.h5 -o made.txt && run x.h5 -f -o made.txt && grep -q 2021 made.txt
}
tplot_overwrite() {
  echo old >made.svg && fails 73 x.h5 -o made.svg && run x.h5 -f -o made.svg && grep -q '<svg' made.svg
}
tdiff_overwrite() { echo old >report && fails 73 x.h5 -o report && run x.h5 -f -o report && [ ! -s report ]; }

law_append() {
  tconv 1=5 -f -o made.h5:/first
  run x.h5 -A -o made.h5:/second && tdiff made.h5:/first 1=5 && tconv --list made.h5 | grep -q '^second '
}

# Each name that the tool knows is there, or is refused where something else would have to be asked for.
law_emit() {
  fails 2 x.h5 --emit nothing && grep -q 'is not one of' errors || return 1
  for one in $(sed 's/.*is not one of//; s/,//g; s/=K/=1/g' errors); do
    shown=${one%=*} && [ "$shown" != state ] || shown=part
    run x.h5 -O h5 --emit "$one" && tconv --list out | grep -q "^$shown" || fails 2 x.h5 --emit "$one" ||
      { echo "--emit $one" && return 1; }
  done
}

law_keep() { adds listed '^other ' more.h5:/x --keep other; }
tconv_keep() { ! run more.h5:/x --keep first && adds listed '^other ' more.h5:/x --keep other; }
# There is no input that could contain it.
table_keep() { fails 66 x.h5 --keep other; }
lines_keep() { fails 66 x.h5 --keep other; }

law_keep_input() { run more.h5:/x --keep-input && tdiff out:/x x.h5; }
tconv_keep_input() { run more.h5:/x --rename x=z --keep-input && tdiff out:/x x.h5; }

law_dtype() { adds listed ' f16' x.h5 --dtype f16; }
transformer_run_dtype() { adds listed ' f16' x.h5 --emit scores --dtype f16; }
text_dtype() { changes x.h5 '' --dtype f64; }
lines_dtype() { adds listed ' i32' x.h5 --dtype i32; }

law_precision() { changes reals.h5 '-O csv' --precision 2; }
embed_precision() { changes x.h5 '-O csv' --precision 2; }
scores_precision() { changes x.h5 '-O csv' --precision 2; }
transformer_run_precision() { changes x.h5 '-O csv --emit scores' --precision 2; }
lines_precision() { changes x.h5 '-O csv --dtype f32' --precision 1; }

law_no_history() {
  run x.h5 && tconv --list out | grep -q @history && run x.h5 --no-history && ! tconv --list out | grep -q @history
}
law_timestamp() { adds listed '@history = 20..-' x.h5 --timestamp; }

table output output-format overwrite append emit keep keep-input dtype precision no-history timestamp
