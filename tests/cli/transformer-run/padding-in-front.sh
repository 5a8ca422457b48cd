# Of prompts with padding in front, y shows it, and what --emit adds has the tokens first and all padding behind them:
# each row has what it has alone, and the tokens beside it are those that it is of.
gpt2() {
  transformer-run -m "$CONFORMANCE/models/gpt2" --max-new-tokens 3 --ignore-end \
    --emit logits,decoder,hidden_states,attentions,tokens,pooled "$@"
}
gpt2 --ids 2x4xi64=1,1,9,8,7,6,5,4 -o both.h5
gpt2 --ids 2x4xi64=9,8,1,1,7,6,5,4 -o behind.h5
gpt2 --ids 1x2xi64=9,8 -o first.h5
gpt2 --ids 1x4xi64=7,6,5,4 -o second.h5
tconv --list both.h5 | grep -E '^(y|logits|tokens|pooled) '
tdiff both.h5:/y[0,2:] first.h5:/y[0]
tdiff both.h5:/tokens[0,:4] first.h5:/tokens[0]
tdiff both.h5:/tokens[1] second.h5:/tokens[0]
for name in logits decoder hidden_states/1; do
  tdiff both.h5:/$name[0,:4] first.h5:/$name[0] --rtol 0 --atol 0
  tdiff both.h5:/$name[1] second.h5:/$name[0] --rtol 0 --atol 0
done
tdiff both.h5:/attentions/1[0,:,:4,:4] first.h5:/attentions/1[0] --rtol 0 --atol 0
tdiff both.h5:/pooled[:1] first.h5:/pooled
tdiff both.h5:/pooled[1:] second.h5:/pooled
for name in logits hidden_states/2 attentions/0 tokens pooled; do tdiff behind.h5:/$name both.h5:/$name; done
tconv both.h5:/tokens -O csv --no-header
