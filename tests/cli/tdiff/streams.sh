# Batches after the first are told apart.
tconv 2=1,2 --no-history -o a.h5
tconv 2=1,3 --no-history -o b.h5
cat a.h5 a.h5 b.h5 >first.h5
cat b.h5 a.h5 a.h5 >second.h5
tdiff first.h5 second.h5 || echo "exit code $?"
tdiff --json first.h5 second.h5 | grep batch
