# PyTables and pandas read texts of one width alone: a copy of theirs has them side by side.
tconv "$FIXTURES/hdf5/pytables.h5:/words" -o copy.h5
grep -aq alphabeta copy.h5
tdiff copy.h5 "$FIXTURES/hdf5/pytables.h5:/words"
tconv 2xstr=alpha,beta -o words.h5
! grep -aq alphabeta words.h5
