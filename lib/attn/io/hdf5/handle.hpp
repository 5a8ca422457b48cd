#pragma once
// Common parts of reading and writing HDF5: identifiers that close themselves, one thread at a time, a silent error
// stack.

#include <attn/core/dtype.hpp>

#include <cstdint>
#include <mutex>
#include <string>

namespace attn::io::hdf5 {

using Id = std::int64_t;  // the library's hid_t

/// An HDF5 identifier and the function that closes it.
class Handle {
 public:
  using Close = int (*)(Id);
  Handle() = default;
  Handle(Id id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }

  /// False if the close failed, which for a file means that something was not written.
  bool reset() noexcept {
    const Id id = id_;
    id_ = -1;
    return id < 0 || close_(id) >= 0;
  }
  explicit operator bool() const noexcept { return id_ >= 0; }
  operator Id() const noexcept { return id_; }

 private:
  Id id_ = -1;
  Close close_ = nullptr;
};

/// While it lives, this thread alone is inside HDF5 (its serial build is not thread-safe) and the library prints
/// nothing.
class Section {
 public:
  Section();
  ~Section();
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  void* function_ = nullptr;
  void* data_ = nullptr;
};

/// Conversion of elements of an HDF5 type to a dtype.
struct ElementType {
  enum class Storage {
    raw,             ///< the bits are those of the dtype, perhaps in the other byte order
    converted,       ///< HDF5 converts: 80-bit floats, 24-bit integers, logicals of R as f64
    fixed_string,    ///< padded to a fixed width
    variable_string  ///< pointers into a heap
  };
  DType dtype = DType::f64;
  Storage storage = Storage::raw;
  bool swap_bytes = false;
  std::size_t width = 0;  ///< bytes stored
};

/// R's logicals are FALSE (0), TRUE (1) and NA, as hdf5r stores them in an enumeration.
constexpr double r_missing_logical = 2;

/// Access that follows no path into another file: a foreign file must not choose what else is read or written. `kind`:
/// H5P_LINK_ACCESS or a class that contains it.
Handle inner_access(Id kind);

/// False for types that are not tensor elements: records, references, lists ...; `what` then names the type.
bool element_type(Id type, ElementType& element, std::string& what);

/// The little-endian type that stores a dtype.
Handle stored_type(DType dtype);

/// UTF-8 of variable length, as h5py writes str.
Handle string_type();

bool is_ascii(const std::string& name) noexcept;

/// The first line of HDF5's error stack, for messages; clears it.
std::string last_error();

}  // namespace attn::io::hdf5
