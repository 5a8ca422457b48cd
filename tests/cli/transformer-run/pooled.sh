# Pooled vectors: the first and the last are those tokens' own; the mean is another; pads take no part.
for pool in mean first last; do
  transformer-run -m "$EXAMPLES/dates" --emit pooled,encoder --pool $pool -o $pool.h5 "1/2/99" "3 mars 2021"
done
tdiff first.h5:/pooled "first.h5:/encoder[:,0]" --rtol 0 --atol 0
tdiff "last.h5:/pooled[0]" "last.h5:/encoder[0,6]" --rtol 0 --atol 0
tdiff "last.h5:/pooled[1]" "last.h5:/encoder[1,-1]" --rtol 0 --atol 0
if tdiff mean.h5:/pooled first.h5:/pooled >report; then echo "the mean is the first"; fi
