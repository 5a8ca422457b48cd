# Output and input may be the same file: the old one is read to its end before the new one takes its place.
tconv linspace=0,1,100000 -o x.h5
cp x.h5 old.h5
tconv x.h5 --reshape 100,1000 -f -o x.h5
tconv x.h5 --reshape -1 | tdiff - old.h5
tconv x.h5 | tconv -f -o x.h5 || true
tconv x.h5 --reshape -1 | tdiff - old.h5
