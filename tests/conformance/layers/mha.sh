# nn.MultiheadAttention of PyTorch: outputs and weights of every case, whole and stage by stage, in double and single.
# pytorch-mha.h5: computed with PyTorch 2.9.1 in f64 from random inputs, for this project; its masks are true where a
# key takes no part.
fixture=$TESTDIR/pytorch-mha.h5
failed=0
tconv "$fixture" --dtype f32 -o single.h5
while read -r case options; do
  case $case in '' | '#'*) continue ;; esac
  in=$fixture:/$case/in out=$fixture:/$case/out
  set -- -w "$fixture:/$case/weights"
  for option in $options; do
    case $option in @*) set -- "$@" "$in/${option#@}" ;; *) set -- "$@" "$option" ;; esac
  done
  for engine in auto reference; do
    mha -q "$in/query" -k "$in/key" -v "$in/value" "$@" --engine $engine --emit weights -f -o y.h5
    tdiff y.h5:/y "$out/output" --atol 1e-12 || { echo "$case: output differs ($engine)" && failed=1; }
    tdiff y.h5:/weights "$out/weights" --atol 1e-12 || { echo "$case: weights differ ($engine)" && failed=1; }
  done
  mha -q "$in/query" -k "$in/key" -v "$in/value" "$@" -f -o whole.h5
  mha --stage project -q "$in/query" -k "$in/key" -v "$in/value" -w "$2" --heads "$4" | mha --stage attend "$@" |
    mha --stage merge -w "$2" --heads "$4" -f -o stages.h5
  tdiff whole.h5 stages.h5 || { echo "$case: the stages differ from the whole" && failed=1; }
  shift 2
  from=single.h5:/$case
  mha -w "$from/weights" -q "$from/in/query" -k "$from/in/key" -v "$from/in/value" "$@" -f -o y.h5
  # Rounding the inputs and the weights to f32 moves a result by about sqrt(2 * 16) eps of its size, a few units here.
  tdiff y.h5 "$out/output" --atol 1e-5 || { echo "$case: single precision differs" && failed=1; }
done <"$TESTDIR/mha.cases"
exit $failed
