# Heads and wirings that the larger models beside do not have: what they make of ids, in f64 and f32, one choice as a
# batch of rows, and how they go on with ids where that is done in a way of their own.
. "$TESTDIR/compare.shlib"
for folder in "$TESTDIR"/heads/*; do
  case=$folder/case.h5:
  holds() { tconv --list "$folder/case.h5" | awk '{ print $1 }' | grep -qx "$1"; }
  for dtype in f64 f32; do
    case $folder in
    *-causal) set -- --decoder-ids "$case/in/input_ids" ;;
    *-masks) set -- --task fill-mask --ids "$case/in/input_ids" ;;
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
    if holds out/cls_logits; then
      transformer-run -m "$folder" --dtype $dtype "$@" --trace y.h5 --trace-filter cls_logits -f -o answers.h5
      compare cls_logits cls_logits "$(bound_of $dtype)"
    fi
    if holds out/greedy; then
      set -- -m "$folder" --dtype $dtype --task text-generation --ids "$case/in/input_ids[:,:4]" --max-new-tokens 8 -f
      transformer-run "$@" -o y.h5
      compare y greedy 0
      transformer-run "$@" --beams 3 --emit scores -o y.h5
      compare y beams 0
      compare scores scores "$(bound_of $dtype)"
    fi
  done
done
exit $failed
