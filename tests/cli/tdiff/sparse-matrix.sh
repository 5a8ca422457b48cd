# A sparse matrix that an operand names is compared with its zeros, and not by its parts.
tconv "$FIXTURES/hdf5/sparse-matrices.h5:/csr" -o dense.npy
tdiff "$FIXTURES/hdf5/sparse-matrices.h5:/csr" dense.npy
tdiff "$FIXTURES/hdf5/sparse-matrices.h5:/csr" "$FIXTURES/hdf5/sparse-matrices.h5:/csc"
