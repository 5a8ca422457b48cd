# A bias belongs to logits.
embed 1xi64=0 -w 2x2=1,2,3,4 -b 2=1,2
