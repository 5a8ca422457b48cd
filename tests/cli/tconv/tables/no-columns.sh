# A matrix without columns has rows all the same: beside others in a table it adds nothing, and alone it reads back.
tconv 2x3=1,2,3,4,5,6 -o a.h5:/y
tconv 2x3=1 --slab :,0:0 -A -o a.h5:/weights
tconv a.h5 -O csv
tconv a.h5:/weights -O csv | tdiff - a.h5:/weights
tconv 3x1=1 --slab :,0:0 -A -o a.h5:/other
code=0
tconv a.h5 -O csv || code=$?
echo $code
# One without rows shows its columns in the header, and without that nothing.
tconv 0x3= -O csv
tconv 0x3= -O csv --no-header
