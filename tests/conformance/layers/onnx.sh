# All cases of ONNX's node tests of layers (norms, softmax, gelu, rotary positions), each output compared with theirs.
# onnx-layers.h5: inputs, outputs and attributes of the ONNX node tests (Apache-2.0), all in f32.
fixture=$TESTDIR/onnx-layers.h5
failed=0 count=0
while read -r case tool main outputs options; do
  case $case in '' | '#'*) continue ;; esac
  count=$((count + 1))
  in=$fixture:/$case/inputs out=$fixture:/$case/outputs
  set --
  for option in $options; do
    case $option in @*) set -- "$@" "$in/${option#@}" ;; *) set -- "$@" "$option" ;; esac
  done
  case $outputs in *Mean*) set -- "$@" --emit mean,inverse-deviation ;; esac
  "$tool" "$in/$main" "$@" --quiet -f -o y.h5 || { echo "$case: $tool failed" && failed=1 && continue; }
  for name in $(echo "$outputs" | tr ',' ' '); do
    case $name in Mean) ours=mean ;; InvStdDev) ours=inverse-deviation ;; *) ours=y ;; esac
    # The reference computes in f32: 16 units in the last place of results up to 4 in size.
    tdiff "y.h5:/$ours" "$out/$name" --atol 4e-6 || { echo "$case: $name differs" && failed=1; }
  done
done <"$TESTDIR/onnx.cases"
[ $count -eq 57 ] || { echo "$count cases" && failed=1; }
exit $failed
