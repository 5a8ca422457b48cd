# Heads that the larger models beside do not have: what they make of ids, in f64 and f32, and one choice as a batch of rows.
. "$TESTDIR/compare.shlib"
for folder in "$TESTDIR"/heads/*; do
  case=$folder/case.h5:
  holds() { tconv --list "$folder/case.h5" | awk '{ print $1 }' | grep -qx "$1"; }
  for dtype in f64 f32; do
    case $folder in
    *-causal) set -- --decoder-ids "$case/in/input_ids" ;;
    *) set -- --ids "$case/in/input_ids" ;;
    esac
    if holds in/token_type_ids; then set -- "$@" --type-ids "$case/in/token_type_ids"; fi
    if holds in/decoder_input_ids; then set -- "$@" --decoder-ids "$case/in/decoder_input_ids"; fi
    transformer-run -m "$folder" --dtype $dtype "$@" -f -o y.h5
    compare y y "$(bound_of $dtype)"
    if holds out/next; then
      transformer-run -m "$folder" --dtype $dtype --task next-sentence-prediction "$@" -f -o y.h5
      compare y next "$(bound_of $dtype)"
    fi
  done
done
exit $failed
