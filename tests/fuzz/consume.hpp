#pragma once
// Reads all that a file offers, the way tools do. Whatever the bytes are, it ends well or with attn::Error.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/input.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace fuzz {

inline void touch(const attn::TensorView& tensor) {
  static volatile unsigned sum = 0;
  const attn::TensorView x = contiguous(tensor);
  if (x.dtype == attn::DType::string) return;
  const auto* bytes = static_cast<const unsigned char*>(x.data);
  unsigned total = 0;
  for (std::size_t i = 0, n = x.bytes(); i < n; ++i) total += bytes[i];
  sum = sum + total;
}

inline void read_all(attn::Source& source) {
  source.attributes();
  for (const std::string& group : source.groups()) {
    source.attributes(group);
    source.unreadable_attributes(group);
    try {
      if (source.group_tensor(group)) touch(source.read(group));
    } catch (const attn::Error&) {
    }
  }
  for (const attn::TensorInfo& info : source.tensors()) {
    try {
      source.attributes(info.name);
      touch(source.read(info.name));
      touch(source.read(info.name, attn::parse_slab("::2", info.name)));
    } catch (const attn::Error&) {
    }
  }
}

/// Calls f with the path of a regular file of these bytes.
template <class F>
void with_file(const std::uint8_t* data, std::size_t size, F f) {
  const int fd = memfd_create("input", MFD_CLOEXEC);
  if (fd < 0 || write(fd, data, size) != static_cast<ssize_t>(size)) std::abort();
  attn::memory_account().limit(std::size_t{64} << 20);
  try {
    f("/proc/self/fd/" + std::to_string(fd));
  } catch (const attn::Error&) {
  }
  close(fd);
}

/// The bytes as a regular file, and every batch in it.
inline void consume(const std::uint8_t* data, std::size_t size, const attn::io::TableOptions& table = {}) {
  attn::io::InputOptions options;
  options.table = table;
  options.external_folder = "/proc/self/fd";  // its links lead outside, so that it contains no file
  with_file(data, size, [&](const std::string& path) {
    const auto source = attn::io::open_source(path, options);
    constexpr int most_batches = 20;
    int batches = 0;
    do read_all(*source);
    while (++batches < most_batches && source->next_batch());
  });
}

}  // namespace fuzz
