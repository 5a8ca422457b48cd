# Gemma 1 and 2 are no models of transformer-run, but of their norms and embeddings all is known: the gain is 1 + w, and
# vectors are multiplied by the square root of their width. Of other kin neither is known, and they are refused.
mkdir model
posenc --length 3 --dim 16 -o x.h5
posenc --length 9 --dim 16 --base 7 -o model/w.h5:/embed_tokens.weight
tconv linspace=-1,1,16 -A -o model/w.h5:/norm.weight
for type in gemma gemma2; do
  for fields in '"rms_norm_eps": 1e-3' '"vocab_size": 9'; do
    echo '{"model_type": "'$type'", '"$fields}" >model/config.json
    [ "$fields" = '"vocab_size": 9' ] && eps=1e-6 || eps=1e-3
    addnorm --no-residual x.h5 -w model/w.h5:/norm -f -o y.h5
    addnorm --no-residual x.h5 -w linspace=0,2,16 --kind rms --eps $eps | tdiff --atol 1e-6 - y.h5
    embed 3xi64=1,8,0 -w model/w.h5:/embed_tokens -f -o y.h5
    embed 3xi64=1,8,0 -w model/w.h5:/embed_tokens.weight --scale 4 --quiet | tdiff - y.h5
  done
done
addnorm --no-residual x.h5 -w model/w.h5:/norm --check-grad 2 | awk '{ print $1, ($2 < 1e-6) }'
echo '{"model_type": "gemma9", "rms_norm_eps": 1e-3}' >model/config.json
addnorm --no-residual x.h5 -w model/w.h5:/norm -f -o y.h5 || echo $?
embed 3xi64=1,8,0 -w model/w.h5:/embed_tokens -f -o y.h5 || echo $?
embed 3xi64=1,8,0 -w model/w.h5:/embed_tokens --scale 4 --quiet -f -o y.h5
