# One query on paper.
attend --explain 0 -q 1x2xf64=1,2 -k 3x2xf64=1,0,0,1,5,5 -v 3x2xf64=10,1,20,2,30,3 --mask 1x3xu8=1,1,0 --softcap 4
