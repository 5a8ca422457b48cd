# Every score against PyTorch, in double and from the same inputs in single precision: output, weights and scores.
# attention-scores.h5: computed with PyTorch 2.9.1 in f64 from random inputs, for this project.
fixture=$TESTDIR/attention-scores.h5
failed=0
while read -r case options; do
  case $case in '' | '#'*) continue ;; esac
  in=$fixture:/$case/in out=$fixture:/$case/out
  set --
  for option in $options; do
    case $option in @*) set -- "$@" "$in/${option#@}" ;; *) set -- "$@" "$option" ;; esac
  done
  attend -q "$in/q" -k "$in/k" -v "$in/v" "$@" --emit weights,scores --quiet -f -o y.h5
  for pair in y=output weights=weights scores=scores; do
    # Scores reach 20 in size; 1e-12 of that scale.
    tdiff "y.h5:/${pair%=*}" "$out/${pair#*=}" --atol 1e-12 --rtol 1e-12 || { echo "$case: ${pair%=*} differs" && failed=1; }
  done
  for name in q k v; do
    tconv "$in/$name" --dtype f32 -f -o $name.h5
  done
  attend -q q.h5 -k k.h5 -v v.h5 "$@" --quiet -f -o single.h5
  # Inputs rounded to f32 move a score by about 10 eps |q||k|, and the pooled values by as much of their size.
  tdiff single.h5 "$out/output" --atol 2e-5 || { echo "$case: single precision differs" && failed=1; }
done <"$TESTDIR/pytorch.cases"
exit $failed
