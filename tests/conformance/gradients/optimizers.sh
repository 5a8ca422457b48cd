# 20 steps of each optimiser against PyTorch's, within 1e-13 in f64 with both engines. optimizers.h5: parameters,
# gradients and the parameters after each step, computed with PyTorch 2.9.1 in f64 for this project; one element has
# gradients of 0, one so small that epsilon decides, one stops after step 7, one has an outlier.
F=$TESTDIR/optimizers.h5
failed=0
for step in $(seq 0 19); do
  tconv "$F:/gradients" --slab "$step" -o "d$step.h5"
done
while read -r case options; do
  case $case in '' | '#'*) continue ;; esac
  for engine in auto reference; do
    rm -f state.h5
    tconv "$F:/parameters" -f -o w.h5
    for step in $(seq 0 19); do
      # shellcheck disable=SC2086
      optimize -w w.h5 -g "d$step.h5:/gradients" --state state.h5 $options --engine $engine -f -o w.h5
      case $step in 0 | 6 | 19) ;; *) continue ;; esac
      for name in weight bias; do
        tdiff "w.h5:/parameters/$name" "$F:/$case/$name[$step]" --atol 1e-15 --rtol 1e-13 ||
          { echo "$case: step $step differs ($engine)" && failed=1; }
      done
    done
  done
done <"$TESTDIR/optimizers.cases"
exit $failed
