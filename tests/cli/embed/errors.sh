# Ids are whole numbers that the table has.
. "$SUPPORT/try.sh"
try embed 2=0,0.5 -w 2x2=1,2,3,4
try embed 3xi64=0,4,1 -w 2x2=1,2,3,4
# Vectors that do not have the columns of the table.
try embed linspace=0,1,3 -w 3x4=1,2,3,4,5,6,7,8,9,10,11,12 --logits
