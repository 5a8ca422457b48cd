#include <attn/core/error.hpp>
#include <attn/io/hdf5/handle.hpp>
#include <attn/io/hdf5/library.hpp>

#include <dlfcn.h>

#include <vector>

namespace attn::io::hdf5 {

#define ATTN_HDF5_DEFINE(name) decltype(&::name) name = nullptr;
ATTN_HDF5_FUNCTIONS(ATTN_HDF5_DEFINE)
#undef ATTN_HDF5_DEFINE
#define ATTN_HDF5_DEFINE(name) LibraryNumber name;
ATTN_HDF5_NUMBERS(ATTN_HDF5_DEFINE)
#undef ATTN_HDF5_DEFINE

namespace {

static_assert(std::is_same_v<hid_t, Id>, "identifiers are 64 bits since HDF5 1.10");

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

bool find_library() {
  constexpr Module module{"libattn-hdf5.so", "compresses, extends and labels HDF5 files", "libhdf5"};
// The headers of some versions make other names of these: the macro gives the name that is called.
#define ATTN_HDF5_TEXT(name) #name
#define ATTN_HDF5_FIND(name) name = reinterpret_cast<decltype(name)>(find_in_module(module, ATTN_HDF5_TEXT(name)));
  ATTN_HDF5_FUNCTIONS(ATTN_HDF5_FIND)
#undef ATTN_HDF5_FIND
  // A program that is linked with the library itself may have its variables in itself.
  const bool is_linked = dlsym(RTLD_DEFAULT, "H5open") == reinterpret_cast<void*>(H5open);
#define ATTN_HDF5_FIND(name) name.find(is_linked ? dlsym(RTLD_DEFAULT, #name) : find_in_module(module, #name));
  ATTN_HDF5_NUMBERS(ATTN_HDF5_FIND)
#undef ATTN_HDF5_FIND
#undef ATTN_HDF5_TEXT
  return true;
}

}  // namespace

Section::Section() : lock_(library_mutex()) {
  static const bool is_found = find_library();
  static_cast<void>(is_found);
  // A file that could not be closed (a full disk) would be closed once more at exit, and crash there.
  static const herr_t no_exit_handler = H5dont_atexit();
  static_cast<void>(no_exit_handler);
  // Every function would try to start the library again, and crash on what the first try left behind.
  static const bool is_open = H5open() >= 0;
  if (!is_open) throw Error(ErrorKind::memory, "HDF5", "the library could not start: memory is short");
  H5E_auto2_t function = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &function, &data_);
  function_ = reinterpret_cast<void*>(function);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Section::~Section() { H5Eset_auto2(H5E_DEFAULT, reinterpret_cast<H5E_auto2_t>(function_), data_); }

Handle inner_access(Id kind) {
  Handle access(H5Pcreate(kind), H5Pclose);
  const auto refuse = [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t {
    return -1;
  };
  H5Pset_elink_cb(access, refuse, nullptr);
  return access;
}

Handle decode_type(std::string message) {
  // As from H5Tencode, after the kind of message and a version. The library finds zeros after it.
  constexpr std::size_t largest_type = 1 << 16;
  message.insert(0, "\x03\x00", 2);
  message.resize(message.size() + largest_type, '\0');
  return {H5Tdecode(message.data()), H5Tclose};
}

std::optional<Shape> shape_of(Id space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) return {};
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return Shape{0};
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return Shape(extents.begin(), extents.end());
}

Handle space_of(const Shape& shape) {
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  return {extents.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
          H5Sclose};
}

std::string last_error() {
  std::string text;
  const auto visit = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    auto& line = *static_cast<std::string*>(out);
    if (line.empty() && error->desc != nullptr) line = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? "HDF5 gives no reason" : text;
}

}  // namespace attn::io::hdf5
