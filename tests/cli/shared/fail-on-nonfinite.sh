# --fail-on-nonfinite: exit 1, and nothing is written.
. "$SUPPORT/stages.sh"
tconv 6x8=$(awk 'BEGIN { for (i = 0; i < 48; ++i) printf "%s%s", i == 20 ? "nan" : i / 48, i < 47 ? "," : "" }') -o nan.h5:/x
body() {
  case $tool in embed | transformer-run) return 0 ;; esac  # NaN is no id
  rm -f out.h5
  code=0
  stage_on nan.h5 --fail-on-nonfinite -o out.h5 2>errors || code=$?
  [ $code -eq 1 ] || complain "a NaN with --fail-on-nonfinite: exit code $code"
  [ ! -e out.h5 ] || complain "--fail-on-nonfinite wrote its result"
  case $(cat errors) in *"not finite; nothing was written") ;; *) complain "--fail-on-nonfinite says $(cat errors)" ;; esac
  stage_on nan.h5 --fail-on-nonfinite >out.h5 2>errors && complain "a NaN went into the pipe"
  [ ! -s out.h5 ] || complain "--fail-on-nonfinite wrote to the pipe"
  stage_on x.h5 --fail-on-nonfinite -f -o out.h5 || complain "finite results fail"
}
for_each_stage body
