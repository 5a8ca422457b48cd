// HDF5 files, new ones and those that get more datasets. A new one is a plain image where that is enough. Else it is
// laid out by the skeleton method: the library lays out all datasets in a sparse file in memory, without their
// elements; then its few KB of metadata and the callers' own buffers go out in the order of their offsets. Nothing is
// copied. Only compressed elements and texts are part of the file in memory.
//
// More datasets, and datasets that replace those of the same name, are written into a copy, which takes the file's
// place when all is written.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/shell.hpp>
#include <attn/core/system.hpp>
#include <attn/io/bytes/folder_lock.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/copy.hpp>
#include <attn/io/hdf5/elements.hpp>
#include <attn/io/hdf5/file_bytes.hpp>
#include <attn/io/hdf5/handle.hpp>
#include <attn/io/hdf5/library.hpp>
#include <attn/io/hdf5/metadata.hpp>
#include <attn/io/hdf5/plain_image.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

namespace attn::io {
namespace {

using namespace hdf5;  // the library's functions too

/// A file in memory that has no name.
class MemoryFile {
 public:
  MemoryFile() : fd_(system::memory_file()) {
    if (fd_ < 0)
      throw Error(ErrorKind::memory, "", std::string("cannot make a file in memory: ") + std::strerror(errno));
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return std::string(system::folder_of_descriptors()) + '/' + std::to_string(fd_); }
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

using namespace hdf5;  // the library's functions too

class Hdf5AppendSink final : public CollectingSink {
 public:
  Hdf5AppendSink(const std::string& path, const OutputOptions& options)
      : CollectingSink(open_output(path)), path_(path), options_(options) {}

 private:
  void require_free(const std::vector<std::string>& names) const override {
    if (!output().replaces_file() || !output().is_unchanged()) return;  // what came since is met when it is written
    require_no_writer();
    if (!is_hdf5_file(path_))
      throw Error(ErrorKind::data, path_, "is not an HDF5 file", "only HDF5 files can be appended to");
    open_source(path_)->tensors();  // all of it is checked before the library meets what is damaged
    const Section section;
    const Handle file = open_original(path_, H5F_ACC_RDONLY);
    for (const std::string& name : names) is_replaced(file, name);
  }

  void require_fit(const std::vector<TensorInfo>& batch) const override { hdf5::require_places(batch, path_); }
  std::string obstacle_to_batches() const override { return "when it is appended to"; }
  std::string stored_name(const std::string& name) const override { return hdf5::path_of(name, path_); }

  [[noreturn]] static void refuse_stream(const std::string& path) {
    throw Error(ErrorKind::usage, path, "cannot be appended to", "it is not a regular file");
  }

  /// Opening a pipe would wait for who reads it.
  static std::unique_ptr<ByteOutput> open_output(const std::string& path) {
    std::error_code says_output;  // why it cannot be looked at
    if (std::filesystem::is_other(path, says_output)) refuse_stream(path);
    auto output = std::make_unique<ByteOutput>(path, true);
    if (output->temporary_path().empty()) refuse_stream(path);
    return output;
  }

  /// Another program with the file open would write into the replaced file, and lose its data.
  void require_no_writer() const {
    if (is_open_for_writing(path_))
      throw Error(ErrorKind::create, path_, "is open for writing in another program",
                  "close it there, and run it again");
  }

  void start_again() {
    output().start_again();
    if (output().temporary_path().empty()) refuse_stream(path_);
  }

  void write_batch(const OutgoingBatch& batch) override {
    if (!output().is_unchanged()) start_again();
    const std::vector<Placement> placed = lay_out_beside(batch);
    for (const Placement& placement : placed) {
      std::uint64_t at = placement.offset;
      placement.tensor->produce([&](const void* data, std::size_t bytes) {
        output().write_at(at, data, bytes);
        at += bytes;
      });
    }
    if (!output().claim()) write_again(batch);
  }

  /// Another writer was faster and has finished: copies the results into the present file.
  void write_again(OutgoingBatch batch) {
    const auto computed = open_hdf5(std::make_unique<ByteInput>(output().temporary_path()), "");
    for (OutgoingTensor& tensor : batch.tensors) tensor.content = computed->read(tensor.name);
    start_again();
    write_batch(batch);
  }

  /// In a copy of the file, compact if datasets of it may be replaced, or in a new one.
  std::vector<Placement> lay_out_beside(const OutgoingBatch& batch) {
    const Section section;
    if (!output().replaces_file()) return lay_out_alone(batch);
    require_no_writer();
    const auto present = open_source(path_);
    GroupAttributes attributes = batch.attributes;
    std::vector<std::string> replaced;
    std::optional<hdf5::CompactCopy> copy;
    present->tensors();  // all of it is checked before the library meets what is damaged
    const Handle original = open_original(path_, H5F_ACC_RDONLY);
    for (const OutgoingTensor& tensor : batch.tensors)
      if (is_replaced(original, tensor.name)) replaced.push_back(tensor.name);
    if (options_.overwrite) {
      copy.emplace(original, path_, replaced, attributes);
      if (!copy->holds_more()) return lay_out_alone(batch);
    }
    if (options_.join) options_.join(*present, replaced, attributes);
    ByteInput source(path_);
    if (copy) {
      const Bytes block = source.take(copy->write(output().temporary_path()));
      output().write_at(0, block.data, block.size);
    } else {
      const Bytes bytes = source.take_rest();
      output().write(bytes.data, bytes.size);
    }
    return hdf5::lay_out(open_original(output().temporary_path(), H5F_ACC_RDWR), batch.tensors, attributes,
                         options_.storage, path_, [&](Id file) {
                           if (copy) copy->complete(file);
                         });
  }

  /// As if there were no file.
  std::vector<Placement> lay_out_alone(const OutgoingBatch& batch) {
    if (auto image = hdf5::plain_image(batch, options_.storage, path_)) {
      output().write(image->head.data(), image->head.size());
      return std::move(image->placed);
    }
    const std::string &path = output().temporary_path(), block = hdf5::user_block(batch.tensors);
    Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, hdf5::file_creation(batch), hdf5::file_access()), H5Fclose);
    if (!file) throw Error(ErrorKind::io, path_, "cannot be laid out as HDF5: " + hdf5::last_error());
    std::vector<Placement> placed =
        hdf5::lay_out(std::move(file), batch.tensors, batch.attributes, options_.storage, path_);
    output().write_at(0, block.data(), block.size());
    return placed;
  }

  /// The file or its copy. HDF5 would cut off everything after the image that it opens, such as further batches of a
  /// stream.
  Handle open_original(const std::string& path, unsigned mode) const {
    const Handle access = hdf5::file_access();
    Handle file(H5Fopen(path.c_str(), mode, access), H5Fclose);
    haddr_t end = 0;
    if (!file || H5Fget_eoa(file, &end) < 0)
      throw Error(ErrorKind::data, path_, "is not an HDF5 file that can be appended to: " + hdf5::last_error());
    hsize_t size = 0;  // size of the open file: another writer may have replaced it by a larger one
    if (H5Fget_filesize(file, &size) < 0 || size <= end) return file;
    throw Error(ErrorKind::data, path_,
                "has " + std::to_string(size - end) + " bytes after its first HDF5 image, which would be lost",
                "write to a new file, replace this one with --replace-file, or cut them off, as in truncate -s " +
                    std::to_string(end) + " " + shell_quoted(path));
  }

  /// Is a dataset of that name there? Throws Error(create) where it may not be replaced, or none can be made.
  bool is_replaced(Id file, const std::string& name) const {
    const std::string subject = path_ + ":/" + name;
    const Handle access = hdf5::inner_access(H5P_LINK_ACCESS);
    H5O_info_t info;
    bool is_known = false;
    for (std::size_t end = 0; end != std::string::npos;) {
      end = name.find('/', end + 1);
      const std::string path = name.substr(0, end);
      if (H5Lexists(file, path.c_str(), access) <= 0) return false;
      is_known = H5Oget_info_by_name2(file, path.c_str(), &info, H5O_INFO_BASIC, access) >= 0;
      if (end != std::string::npos && !(is_known && info.type == H5O_TYPE_GROUP))
        hdf5::explain_refusal(file, name, subject, "");
    }
    if (is_known && info.type == H5O_TYPE_GROUP)
      throw Error(ErrorKind::create, subject, "is a group, not a dataset", "give a name below it or another one");
    if (is_known && info.type != H5O_TYPE_DATASET)
      throw Error(ErrorKind::create, subject, "is a type, not a dataset", "give another name");
    if (!options_.overwrite)
      throw Error(ErrorKind::create, subject, "exists", "give -f to replace it, or another name");
    return true;
  }

  const std::string path_;
  const OutputOptions options_;
};

}  // namespace

std::unique_ptr<Sink> hdf5_sink(std::unique_ptr<ByteOutput> output, const Hdf5Storage& storage) {
  return std::make_unique<Hdf5Sink>(std::move(output), storage);
}

bool is_hdf5_file(const std::string& path) {
  std::error_code none;  // then it is no file
  if (!std::filesystem::is_regular_file(path, none)) return false;
  ByteInput input(path);
  return image_begin(input).has_value();
}

std::unique_ptr<Sink> hdf5_append_sink(const std::string& path, const OutputOptions& options) {
  return std::make_unique<Hdf5AppendSink>(path, options);
}

}  // namespace attn::io
