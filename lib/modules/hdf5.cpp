// The module libattn-hdf5.so: nothing but libhdf5, which is linked to it, under a name that does not change with its
// version. io/hdf5/library.hpp lists the functions that are found in it.
