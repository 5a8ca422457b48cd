# The options that judge a result, in every tool.
. "$SUPPORT/every_option.sh"
tconv "$({ seq -s , 0 46; echo nan; } | tr '\n' , | sed 's/,$//; s/^/6x8xf32=/')" -o nan.h5:/x
tconv x.h5 -O csv --no-header -o plain.csv
tconv 2x13=7 -o sevens.h5:/ids
larger() { awk -F, -v OFS=, '/^[-0-9.]/ { for (i = 1; i <= NF; ++i) $i *= 1.01 } { print }' "$1"; } # by 1 %
wrong() { run x.h5 -O csv && larger out >wrong.csv; }

law_check() { wrong && fails 1 x.h5 --check wrong.csv; }
lines_check() { fails 1 x.h5 --check sevens.h5:/ids; }

law_rtol() { wrong && run x.h5 --check wrong.csv --rtol 0.02; }
lines_rtol() { run x.h5 --check sevens.h5:/ids --rtol 100; }
tdiff_rtol() {
  larger plain.csv >wrong.csv
  ! run wrong.csv && run wrong.csv --rtol 0.02
}

law_atol() { wrong && run x.h5 --check wrong.csv --atol 100; }
lines_atol() { run x.h5 --check sevens.h5:/ids --atol 100; }
tdiff_atol() { ! run reals.h5 && run reals.h5 --atol 1000; }

law_stats() { adds errors ': min .*, max .*, mean .*, sd ' x.h5 --stats; }

law_fail_on_nonfinite() { run nan.h5 && fails 1 nan.h5 --fail-on-nonfinite && [ ! -s out ]; }
nwreg_fail_on_nonfinite() { fails 1 nan.h5 --quiet --fail-on-nonfinite && [ ! -s out ]; } # beside a note on queries
# Ids are finite; their scores need not be.
transformer_run_fail_on_nonfinite() { run x.h5 --fail-on-nonfinite && run x.h5 --emit scores --fail-on-nonfinite; }
scores_fail_on_nonfinite() {
  cp -rL dates spoilt
  end=$(($(wc -c <spoilt/model.safetensors) - 4))
  printf '\000\000\300\177' | dd of=spoilt/model.safetensors bs=1 seek=$end conv=notrunc 2>errors
  run x.h5 -m spoilt && fails 1 x.h5 -m spoilt --fail-on-nonfinite
}
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

table check rtol atol stats fail-on-nonfinite
