# Tensors are filled up with the padding id, on the side that is asked for, to the width that is asked for.
printf '1\n12\n' | tokenize -m "$EXAMPLES/dates" -o a.h5
tdiff a.h5:/ids 2x3=10,2,0,10,11,2
tdiff a.h5:/mask 2x3=1,1,0,1,1,1
tdiff a.h5:/type_ids 2x3=0,0,0,0,0,0
printf '1\n12\n' | tokenize -m "$EXAMPLES/dates" --padding-side left --pad-to 4 -O h5 | tdiff -:/ids 2x4=0,0,10,2,0,10,11,2
printf '1\n12\n' | tokenize -m "$EXAMPLES/dates" --offsets --no-special -O h5 | tdiff -:/offsets 2x2x2=0,1,0,0,0,1,1,2
