# Axis, temperature, logarithm and masks.
L=$FIXTURES/layers/layers.h5
mha --stage project $L:/x -w $L:/self_attn --heads 4 | attend --mask $L:/mask --emit scores,weights -o a.h5
softmax a.h5:/scores --mask $L:/mask -o b.h5
tdiff b.h5 a.h5:/weights --atol 1e-15
tconv $L:/mask --transpose -o transposed.h5
tconv a.h5:/scores --axes 0,1,3,2 | softmax --axis 2 --mask transposed.h5 | tconv --axes 0,1,3,2 | tdiff - b.h5
softmax 2=0,1 --temperature 2 -o warm.h5
softmax 2=0,0.5 | tdiff - warm.h5
softmax 3=1,2,3 --mask 3xbool=1,0,1 --mask-invert -O csv
softmax 2=0,0 --log --precision 6 -O csv
softmax 2=0,0 --mask 2=0,1 --mask-type boolean -O csv
softmax 2=0,0 --mask 2=0,1 --mask-type additive --precision 6 -O csv
softmax 2=1,2 --mask 2xbool=0,0 -O csv
softmax 3=1e30,1e30,-1e30 -O csv
softmax 2=nan,1 --mask 2xbool=0,1 -O csv
