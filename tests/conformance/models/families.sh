# The families: hidden states, attention maps, heads and generation of every case, in f64 and f32.
. "$TESTDIR/compare.shlib"
# names SUFFIX: the tensors of the case whose name ends like that, without the case's own
names() { tconv --list "$folder/cases.h5" | awk -v start="$name/out/" -v end="$1\$" 'index($1, start) == 1 && $1 ~ end { print substr($1, length(start) + 1) }'; }
# argument NAME: what generate() was given
argument() { tconv --list --select "$name/*" "$folder/cases.h5" | sed -n "s/^ *@$1 = //p"; }
for folder in "$TESTDIR"/families/*; do
  for name in $(tconv --list "$folder/cases.h5" | sed -n 's|^\([^/ ]*\)/in/.*|\1|p' | sort -u); do
    case=$folder/cases.h5:/$name
    set -- --ids "$case/in/input_ids"
    emit=$(names '/[0-9]+' | sed 's|/[0-9]*$||' | sort -u)
    if has out/pooler_output; then emit="$emit pooler_output"; fi
    if has out/sequences; then
      set -- "$@" --max-new-tokens "$(argument max_new_tokens)"
      if has out/sequences_scores; then
        emit=scores
        answers=$(argument num_return_sequences)
        set -- "$@" --beams "$(argument num_beams)" --num-return "${answers:-1}"
      fi
      if [ -n "$(argument no_repeat_ngram_size)" ]; then set -- "$@" --no-repeat-ngram "$(argument no_repeat_ngram_size)"; fi
    elif has in/decoder_input_ids; then
      set -- "$@" --decoder-ids "$case/in/decoder_input_ids"
    elif grep -q ForCausalLM "$folder/config.json"; then
      set -- --decoder-ids "$case/in/input_ids"
    fi
    if [ -n "$emit" ]; then set -- "$@" --emit "$(echo $emit | tr ' ' ,)"; fi
    for dtype in f64 f32; do
      bound=$(bound_of $dtype 5e-4)
      run "$@"
      if has out/sequences; then compare y sequences 0; fi
      if has out/sequences_scores; then compare scores sequences_scores $bound; fi
      if has out/pooler_output; then compare pooler_output pooler_output $bound; fi
      case $folder in
      *-discriminator) compare 'y[:,:,0]' logits $bound ;;
      *) for result in logits last_hidden_state; do if has out/$result; then compare y $result $bound; fi; done ;;
      esac
      for tensor in $(names '/[0-9]+'); do compare "$tensor" "$tensor" $bound; done
    done
  done
done
exit $failed
