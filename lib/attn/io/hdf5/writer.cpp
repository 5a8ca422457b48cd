// HDF5: a plain image where that is enough. Else by the skeleton method: the library lays out all datasets in a sparse
// file in memory, without their elements; then its few KB of metadata and the callers' own buffers go out in the order
// of their offsets. Nothing is copied. Only compressed elements and texts are part of the file in memory.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/attributes.hpp>
#include <attn/io/hdf5/handle.hpp>
#include <attn/io/hdf5/library.hpp>
#include <attn/io/hdf5/plain_image.hpp>
#include <attn/io/hdf5/skeleton.hpp>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace attn::io {
namespace {

using namespace hdf5;  // the library's functions too

/// A file in memory that has no name.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("attn-image", MFD_CLOEXEC)) {
    if (fd_ < 0)
      throw Error(ErrorKind::memory, "", std::string("cannot make a file in memory: ") + std::strerror(errno));
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }
  std::uint64_t size() const {
    struct stat status;
    return fstat(fd_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  }
  std::uint64_t stored_bytes() const {
    struct stat status;
    return fstat(fd_, &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512 : 0;
  }
  void write_at_start(const std::string& bytes) const {
    if (pwrite(fd_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      throw Error(ErrorKind::memory, "", std::string("cannot write to a file in memory: ") + std::strerror(errno));
  }
  /// Copies [begin, end) to the output.
  void send(std::uint64_t begin, std::uint64_t end, ByteOutput& output) const {
    std::vector<char> buffer(std::size_t{64} << 10);
    while (begin < end) {
      const ssize_t got =
          pread(fd_, buffer.data(), std::min<std::uint64_t>(buffer.size(), end - begin), static_cast<off_t>(begin));
      if (got <= 0) throw Error(ErrorKind::io, output.label(), "lost its image in memory");
      output.write(buffer.data(), static_cast<std::size_t>(got));
      begin += static_cast<std::uint64_t>(got);
    }
  }

 private:
  int fd_;
};

class Hdf5Sink final : public CollectingSink {
 public:
  Hdf5Sink(std::unique_ptr<ByteOutput> output, const Hdf5Storage& storage)
      : CollectingSink(std::move(output)), storage_(storage) {}

 private:
  std::string stored_name(const std::string& name) const override { return hdf5::path_of(name, output().label()); }

  void require_fit(const std::vector<TensorInfo>& batch) const override {
    hdf5::require_places(batch, output().label());
  }

  void write_batch(const OutgoingBatch& batch) override {
    if (const auto image = hdf5::plain_image(batch, storage_, output().label())) {
      std::uint64_t sent = image->head.size();
      output().write(image->head.data(), sent);
      for (const Placement& placement : image->placed) {
        const std::string gap(placement.offset - sent, '\0');
        output().write(gap.data(), gap.size());
        sent = placement.offset + write_elements(placement);
      }
      return;
    }
    const MemoryFile skeleton;
    const std::vector<Placement> placed = create_skeleton(skeleton, batch);
    const std::shared_ptr<const void> counted = memory_account().take(skeleton.stored_bytes(), output().label());
    std::uint64_t sent = 0;
    for (const Placement& placement : placed) {
      skeleton.send(sent, placement.offset, output());
      sent = placement.offset + write_elements(placement);
    }
    skeleton.send(sent, skeleton.size(), output());
  }

  std::size_t write_elements(const Placement& placement) {
    placement.tensor->produce([this](const void* data, std::size_t bytes) { output().write(data, bytes); });
    return placement.tensor->bytes();
  }

  std::vector<Placement> create_skeleton(const MemoryFile& skeleton, const OutgoingBatch& batch) {
    const Section section;
    const Handle access = hdf5::file_access();
    // The default driver needs the real path of a link of /proc, and a file in memory has none.
    H5Pset_fapl_stdio(access);
    Handle file(H5Fcreate(skeleton.path().c_str(), H5F_ACC_TRUNC, hdf5::file_creation(batch), access), H5Fclose);
    if (!file) throw Error(ErrorKind::io, output().label(), "cannot be laid out as HDF5: " + hdf5::last_error());
    std::vector<Placement> placed =
        hdf5::lay_out(std::move(file), batch.tensors, batch.attributes, storage_, output().label());
    skeleton.write_at_start(hdf5::user_block(batch.tensors));
    return placed;
  }

  const Hdf5Storage storage_;
};

}  // namespace

std::unique_ptr<Sink> hdf5_sink(std::unique_ptr<ByteOutput> output, const Hdf5Storage& storage) {
  return std::make_unique<Hdf5Sink>(std::move(output), storage);
}

}  // namespace attn::io
