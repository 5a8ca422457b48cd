#pragma once
// The HDF5 library, which writes what is more than a plain image: identifiers that close themselves, one thread at a
// time, a silent error stack.

#include <attn/core/shape.hpp>

#include <cstdint>
#include <mutex>
#include <optional>
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

/// Access that follows no path into another file: a foreign file must not choose what else is read or written. `kind`:
/// H5P_LINK_ACCESS or a class that contains it.
Handle inner_access(Id kind);

/// The type that a message describes.
Handle decode_type(std::string message);

/// The extents of a dataspace; none if it is damaged.
std::optional<Shape> shape_of(Id space);
Handle space_of(const Shape& shape);

/// The first line of HDF5's error stack, for messages; clears it.
std::string last_error();

}  // namespace attn::io::hdf5
