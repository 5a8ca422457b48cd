# XLNet's table: sines, then cosines, of the distances from L - 1 down to 1 - S.
posenc --kind xlnet --length 2 --keys 3 --dim 2 --precision 4 -O csv
