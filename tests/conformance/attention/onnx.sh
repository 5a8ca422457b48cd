# All cases of ONNX's Attention node tests, each output compared with theirs.
# onnx-attention.h5: inputs, outputs and attributes of the Attention-23/24/25 node tests of ONNX (Apache-2.0).
fixture=$TESTDIR/onnx-attention.h5
failed=0
while read -r case dtype emit options; do
  case $case in '' | '#'*) continue ;; esac
  in=$fixture:/$case/inputs out=$fixture:/$case/outputs
  # Weighted means of values in [0, 1): 16 units in the last place of the sum in f32; in f16 the reference computes in
  # f16 itself, scores near 8 included, so its own rounding is what is allowed for.
  case $dtype in f32) bound=2e-6 ;; f16) bound=4e-3 ;; esac
  set -- -q "$in/Q" -k "$in/K" -v "$in/V"
  for option in $options; do
    case $option in @*) set -- "$@" "$in/${option#@}" ;; *) set -- "$@" "$option" ;; esac
  done
  if [ "$emit" != - ]; then set -- "$@" --emit "$emit"; fi
  attend "$@" --quiet -f -o y.h5 || { echo "$case: attend failed" && failed=1 && continue; }
  tdiff y.h5:/y "$out/Y" --atol $bound || { echo "$case: Y differs" && failed=1; }
  for name in $(echo "$emit" | tr , ' '); do
    case $name in
    -) continue ;;
    keys) expected=present_key tolerance=0 ;;
    values) expected=present_value tolerance=0 ;;
    *) expected=qk_matmul_output tolerance=$bound ;;
    esac
    tdiff "y.h5:/$name" "$out/$expected" --atol $tolerance || { echo "$case: $name differs" && failed=1; }
  done
done <"$TESTDIR/onnx.cases"
exit $failed
