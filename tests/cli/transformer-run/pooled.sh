# Pooled vectors: the first and the last are those tokens' own; the mean is another; pads take no part.
for pool in mean first last; do
  transformer-run -m "$EXAMPLES/dates" --emit pooled,encoder --pool $pool -o $pool.h5 "1/2/99" "3 mars 2021"
done
tdiff first.h5:/pooled "first.h5:/encoder[:,0]" --rtol 0 --atol 0
tdiff "last.h5:/pooled[0]" "last.h5:/encoder[0,6]" --rtol 0 --atol 0
tdiff "last.h5:/pooled[1]" "last.h5:/encoder[1,-1]" --rtol 0 --atol 0
# feature-extraction makes nothing else, as tensors and as lines.
printf '%s\n' "1/2/99" "3 mars 2021" >lines
transformer-run -m "$EXAMPLES/dates" --task feature-extraction --pool mean --quiet -o vectors.csv <lines
tdiff vectors.csv mean.h5:/pooled --ulp 0
transformer-run -m "$EXAMPLES/dates" --task feature-extraction <lines | tconv - --delim '\t' --no-header -O npy |
  tdiff - mean.h5:/pooled --ulp 0
# They are the result itself where they are asked for and there is no head; with a head they are refused.
cp -R "$CONFORMANCE/models/bert" m
transformer-run -m m --ids 1x4xi64=7,9,5,3 --pool last --emit encoder -o m.h5
tdiff m.h5:/y "m.h5:/encoder[:,-1]" --rtol 0 --atol 0
transformer-run -m "$CONFORMANCE/models/bert-classify" --ids 1x4xi64=7,9,5,3 --pool cls -o head.h5 2>&1 || echo $?
transformer-run -m "$CONFORMANCE/models/vit-classify" --task feature-extraction --list >/dev/null
# An encoder-decoder without a head says whose states they are.
transformer-run -m "$CONFORMANCE/models/bart" --task feature-extraction --ids 1x3xi64=5,6,7 -o bart.h5 2>&1
if tdiff mean.h5:/pooled first.h5:/pooled >report; then echo "the mean is the first"; fi
