# Encoder and decoder may have other numbers of heads: --emit-heads counts those of the stack that is asked for.
cp -r "$CONFORMANCE/models/bart" bart
sed -i 's/"decoder_attention_heads": 4/"decoder_attention_heads": 2/' bart/config.json
run() { transformer-run -m bart --ids 1x3xi64=0,5,2 --decoder-ids 1x3xi64=2,5,6 -f -o y.h5 "$@" 2>&1 || echo "exit $?"; }
run --emit encoder_attentions --emit-heads 3 && tconv --list y.h5:/encoder_attentions/0 | tail -n 1
run --emit cross_attentions --emit-heads 3
run --emit decoder_attentions --emit-heads -3
run --emit encoder_attentions,cross_attentions
run --emit encoder_attentions,cross_attentions -n | grep attentions
tconv y.h5:/cross_attentions/0[:,-1:] -o last.h5
run --emit cross_attentions --emit-heads -1 && tdiff y.h5:/cross_attentions/0 last.h5
