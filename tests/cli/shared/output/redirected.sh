# Standard output that is a file whose name promises another format gets a note with the option that keeps the promise.
for name in fit.csv fit.TSV fit.npy fit.safetensors fit.txt fit.json; do tconv 2=1,2 >$name; done
tconv 2=1,2 -o /dev/stdout >again.csv
tconv 2=1,2 -o /dev/fd/3 3>third.csv
nwreg -x 2=0,1 -y 2=1,2 --bandwidth 1 >fit.csv
# No note on HDF5 and names that promise nothing, where the format is given, into a pipe, and with --quiet.
for name in fit.h5 fit.HDF5 fit fit.dat; do tconv 2=1,2 >$name; done
tconv 2=1,2 -O h5 >fit.csv
tconv 2=1,2 -O csv >fit.csv
tconv 2=1,2 --quiet >fit.csv
tconv 2=1,2 | tdiff - 2=1,2
tconv --list fit.h5 >list.csv
mkfifo pipe.csv
cat pipe.csv >copy.h5 &
tconv 2=1,2 >pipe.csv
wait
tdiff copy.h5 2=1,2
