# Attention maps of chosen layers and heads are slices of all of them, under the names that transformers gives them.
run() { transformer-run -m "$EXAMPLES/dates" --emit cross_attentions,encoder_hidden_states "$@" "3 mars 2021"; }
run -o all.h5
run --emit-layers -1 --emit-heads 0,-1 -o some.h5
tdiff "some.h5:/cross_attentions/1[:,0]" "all.h5:/cross_attentions/1[:,0]" --rtol 0 --atol 0
tdiff "some.h5:/cross_attentions/1[:,1]" "all.h5:/cross_attentions/1[:,3]" --rtol 0 --atol 0
tconv --list all.h5 | grep -v "^@"
tconv --list some.h5 | grep -v "^@"
