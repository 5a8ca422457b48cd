# A smoothing kernel is no logit.
attend --score boxcar --softcap 2 -q 1 -k 1 -v 1
