# Heads on the third axis are not those of a stage; the message says how to bring them to the second.
tconv linspace=0,1,96 -o flat.npy
tconv flat.npy --reshape 1,3,4,8 -o x.npy
mha --stage attend --heads 4 -q x.npy -k x.npy -v x.npy
