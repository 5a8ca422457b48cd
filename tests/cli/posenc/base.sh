# A base that is not positive.
posenc --length 3 --dim 4 --base 0
