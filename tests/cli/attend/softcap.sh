# A softcap bends scores between scale and mask: c tanh(s / c).
attend --score dot --softcap 2 -q 3 -k 1 -v 1 --bias 1x1xf64=5 --emit scores,scores-softcap,scores-masked -o s.h5
for stage in scores scores-softcap scores-masked; do tconv s.h5:/$stage --precision 6 -O csv; done
