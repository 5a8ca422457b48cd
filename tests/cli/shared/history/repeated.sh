# A command that is run again is in the history again, and a past that several inputs have in common is there once.
for name in b c d; do tconv 2=1,2 -A -o h.h5:/$name; done
tconv --list h.h5 | grep -c 'tconv 2=1,2'
softmax h.h5:/b -o s.h5
tconv h.h5:/b s.h5:/y -o joined.h5
tconv --list joined.h5 | grep -c 'tconv 2=1,2'
