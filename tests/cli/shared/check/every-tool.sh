# --check compares the result, --rtol and --atol say how closely; the result is written all the same.
. "$SUPPORT/stages.sh"
body() {
  stage_on x.h5 -f -o good.h5
  stage_on x.h5 --check good.h5 >out.h5 || complain "--check of the same result fails"
  tconv good.h5 -O npy | tdiff - out.h5 || complain "--check did not write the result"
  # 1 % larger than it should be
  tconv good.h5 -O csv | awk -F, -v OFS=, '/^[-0-9.]/ { for (i = 1; i <= NF; ++i) $i *= 1.01 } { print }' >bad.csv
  code=0
  stage_on x.h5 --check bad.csv >out.h5 2>errors || code=$?
  [ $code -eq 1 ] || complain "--check of another result: exit code $code: $(cat errors)"
  case $(cat errors) in "$tool: --check bad.csv: "*" elements differ; worst ["*) ;; *) complain "--check says $(cat errors)" ;; esac
  tdiff good.h5 out.h5 || complain "a failed --check did not write the result"
  stage_on x.h5 --check bad.csv --rtol 0.02 >out.h5 || complain "--rtol is ignored"
  stage_on x.h5 --check bad.csv --atol 100 >out.h5 || complain "--atol is ignored"
}
for_each_stage body
