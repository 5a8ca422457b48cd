/* A plugin of HDF5 for tests: filter 305, of the range for testing, flips the bits of each byte that its value has. */
#include <H5PLextern.h>

static size_t flip(unsigned flags, size_t count, const unsigned values[], size_t bytes, size_t* room, void** buffer) {
  (void)flags, (void)room;
  if (count == 0) return 0;
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)*buffer)[i] ^= (unsigned char)values[0];
  return bytes;
}

static const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 305, 1, 1, "flip", NULL, NULL, flip};

H5PL_type_t H5PLget_plugin_type(void) { return H5PL_TYPE_FILTER; }
const void* H5PLget_plugin_info(void) { return &filter; }
