# Each error has one line that says what is wrong.
. "$SUPPORT/try.sh"
# A table needs its width, and a base above 0.
try posenc --length 3
try posenc --length 3 --dim 4 --base 0
# A learned table with fewer rows than there are positions.
try posenc 3x2=1,2,3,4,5,6 --kind learned -w 2x2=1,2,3,4
# A bias is not added to vectors.
try posenc 3x2=1,2,3,4,5,6 --kind alibi --heads 2
# Rotary coordinates are pairs.
try posenc --kind rotary 1x1x2x3=1,2,3,4,5,6
# Heads that are an axis of their own are as many as --heads says.
try posenc --kind rotary --heads 2 1x2x1x2=1,2,3,4 --positions 1xi64=0 -O csv
try posenc --kind rotary --heads 3 1x2x1x2=1,2,3,4
