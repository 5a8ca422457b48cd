// HDF5, by the skeleton method: the library lays out all datasets in a sparse file in memory, without their elements;
// then its few KB of metadata and the callers' own buffers go out in the order of their offsets. Nothing is copied.

#include <attn/core/error.hpp>
#include <attn/io/collecting_sink.hpp>
#include <attn/io/formats.hpp>
#include <attn/io/hdf5_attributes.hpp>
#include <attn/io/hdf5_elements.hpp>
#include <attn/io/hdf5_handle.hpp>

#include <hdf5.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>

namespace attn::io {
namespace {

using hdf5::Handle;
using hdf5::Id;
using hdf5::Section;

/// Where the elements of one tensor belong.
struct Placement {
  std::uint64_t offset;
  const OutgoingTensor* tensor;
};

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Elements start on cache lines. Superblock version 0: images of later versions do not open again in HDF5 1.10.
  constexpr hsize_t alignment = 64;
  H5Pset_alignment(access, alignment, alignment);
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  H5Pset_file_locking(access, false, true);
  return access;
}

/// Says why a dataset or a group cannot be made: a part of its path is a dataset, its whole path a group, or what HDF5
/// says.
[[noreturn]] void explain_refusal(Id file, const std::string& name, const std::string& subject,
                                  const std::string& reason) {
  for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
    const std::string path = name.substr(0, end);
    H5O_info_t info;
    if (path.empty() || H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0 ||
        H5Oget_info_by_name2(file, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
      break;
    if (info.type != H5O_TYPE_GROUP)
      throw Error(ErrorKind::create, subject,
                  "cannot be made, as '" + path + "' is a " + (info.type == H5O_TYPE_DATASET ? "dataset" : "type") +
                      " and no group",
                  "give one of the two another name");
    if (end == std::string::npos)
      throw Error(ErrorKind::create, subject, "cannot be made, as there is a group of this name with others in it",
                  "give one of them another name");
  }
  throw Error(ErrorKind::create, subject, "cannot be made: " + reason, "give it another name");
}

/// The name without slashes in front. HDF5 passes over parts of a path that are empty or a point, and such a name would
/// come back as another: throws Error(create).
std::string path_of(const std::string& name, const std::string& label) {
  const std::string path = name.substr(std::min(name.find_first_not_of('/'), name.size()));
  const std::string closed = "/" + path + "/";
  if (!path.empty() && (closed.find("//") != std::string::npos || closed.find("/./") != std::string::npos))
    throw Error(ErrorKind::create, label, "cannot hold the name '" + name + "', which is no path in HDF5",
                "give another, as tconv --rename does, or write safetensors, which holds any");
  return path;
}

/// For links to new objects, and to the groups in their paths that are not there.
Handle link_creation(const std::string& path) {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  // Only where it is needed: a name marked as UTF-8 turns its group into one of the newer kind.
  if (!hdf5::is_ascii(path)) H5Pset_char_encoding(links, H5T_CSET_UTF8);
  return links;
}

/// Creates the dataset without its elements; strings, which live in a heap of the file's own, are written at once.
void create_dataset(Id file, const OutgoingTensor& tensor, const std::string& subject, std::vector<Placement>& placed) {
  constexpr std::size_t most_axes = H5S_MAX_RANK;
  if (tensor.shape().size() > most_axes)
    throw Error(
        ErrorKind::create, subject,
        "has " + std::to_string(tensor.shape().size()) + " axes, HDF5 holds " + std::to_string(most_axes) + " at most");
  const bool holds_text = tensor.dtype() == DType::string;
  std::optional<hdf5::OutgoingElements> strings;
  if (holds_text) strings.emplace(tensor.view(), subject);
  const Handle space = hdf5::space_of(tensor.shape()), links = link_creation(tensor.name),
               creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation, holds_text ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER);
  const Handle numbers = hdf5::stored_type(tensor.dtype());
  const Id type = holds_text ? strings->type() : static_cast<Id>(numbers);
  // Attributes of any size need a header of version 2, which a file of superblock version 0 may hold; only this dataset
  // gets one, and no group on the way to it, which would tell the time it was made.
  const hdf5::OutgoingAttributes attributes(tensor.attributes, subject);
  const bool has_large_attributes = !attributes.fit_old_header();
  if (has_large_attributes) H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  const Handle dataset(has_large_attributes
                           ? H5Dcreate_anon(file, type, space, creation, H5P_DEFAULT)
                           : H5Dcreate2(file, tensor.name.c_str(), type, space, links, creation, H5P_DEFAULT),
                       H5Dclose);
  if (!dataset) explain_refusal(file, tensor.name, subject, hdf5::last_error());
  attributes.write(dataset);
  if (has_large_attributes) {
    H5Fset_libver_bounds(file, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
    if (H5Olink(dataset, file, tensor.name.c_str(), links, H5P_DEFAULT) < 0)
      explain_refusal(file, tensor.name, subject, hdf5::last_error());
  }
  if (!holds_text && tensor.bytes() > 0) placed.push_back({H5Dget_offset(dataset), &tensor});
  if (holds_text && strings->count() > 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, strings->data()) < 0)
    throw Error(ErrorKind::io, subject, "cannot be written as HDF5: " + hdf5::last_error());
}

void write_group_attributes(Id file, const std::string& path, const Attributes& attributes, const std::string& label) {
  const std::string place = "/" + path, subject = path.empty() ? label : label + ":/" + path;
  Handle group(H5Gopen2(file, place.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group) {
    const Handle links = link_creation(path);
    group = Handle(H5Gcreate2(file, place.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  }
  if (!group) explain_refusal(file, path, subject, hdf5::last_error());
  hdf5::OutgoingAttributes(attributes, subject).write(group);
}

/// Lays out a batch in an open file, closes it, and returns where elements belong, in the order of their offsets.
std::vector<Placement> lay_out(Handle file, const OutgoingBatch& batch, const std::string& label) {
  std::vector<Placement> placed;
  for (const OutgoingTensor& tensor : batch.tensors) create_dataset(file, tensor, label + ":/" + tensor.name, placed);
  for (const auto& [group, attributes] : batch.attributes) write_group_attributes(file, group, attributes, label);
  errno = 0;
  if (!file.reset())  // the system's reason, where it gave one, is in HDF5's account among much else
    throw Error(ErrorKind::io, label, "cannot be written: " + (errno != 0 ? std::strerror(errno) : hdf5::last_error()));
  std::sort(placed.begin(), placed.end(), [](const Placement& a, const Placement& b) { return a.offset < b.offset; });
  return placed;
}

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
  using CollectingSink::CollectingSink;

 private:
  std::string stored_name(const std::string& name) const override { return path_of(name, output().label()); }

  void write_batch(const OutgoingBatch& batch) override {
    const MemoryFile skeleton;
    const std::vector<Placement> placed = create_skeleton(skeleton, batch);
    std::uint64_t sent = 0;
    for (const Placement& placement : placed) {
      skeleton.send(sent, placement.offset, output());
      placement.tensor->produce([this](const void* data, std::size_t bytes) { output().write(data, bytes); });
      sent = placement.offset + placement.tensor->bytes();
    }
    skeleton.send(sent, skeleton.size(), output());
  }

  std::vector<Placement> create_skeleton(const MemoryFile& skeleton, const OutgoingBatch& batch) {
    const Section section;
    const Handle access = file_access();
    // The default driver asks for the real path behind a link of /proc, and a file in memory has none.
    H5Pset_fapl_stdio(access);
    Handle file(H5Fcreate(skeleton.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    if (!file) throw Error(ErrorKind::io, output().label(), "cannot be laid out as HDF5: " + hdf5::last_error());
    return lay_out(std::move(file), batch, output().label());
  }
};

/// Adds to a copy of the file, which takes the file's place when all is written.
class Hdf5AppendSink final : public CollectingSink {
 public:
  Hdf5AppendSink(const std::string& path, bool overwrite)
      : CollectingSink(std::make_unique<ByteOutput>(path, true)), path_(path), overwrite_(overwrite) {
    if (output().temporary_path().empty())
      throw Error(ErrorKind::usage, path, "cannot be appended to", "it is no regular file");
    output().expect_unchanged();
  }

  void expect(const std::string& name) override {
    const std::string path = checked_name(name);
    const Section section;
    if (H5Fis_hdf5(path_.c_str()) <= 0)
      throw Error(ErrorKind::data, path_, "is no HDF5 file", "only HDF5 files take more datasets");
    const std::unique_ptr<Source> checked = open_source(path_);  // before the library meets what is damaged
    is_replaced(open_original(path_, H5F_ACC_RDONLY, std::filesystem::file_size(path_)), path);
  }

 private:
  std::string obstacle_to_batches() const override { return "when it is appended to"; }
  std::string stored_name(const std::string& name) const override { return path_of(name, path_); }

  void write_batch(const OutgoingBatch& batch) override {
    const std::uint64_t size = copy_original();
    std::vector<Placement> placed;
    {
      const Section section;
      Handle file = open_original(output().temporary_path(), H5F_ACC_RDWR, size);
      for (const OutgoingTensor& tensor : batch.tensors) make_room(file, tensor.name);
      placed = lay_out(std::move(file), batch, path_);
    }
    const int fd = open(output().temporary_path().c_str(), O_WRONLY | O_CLOEXEC);
    for (const Placement& placement : placed) {
      auto at = static_cast<off_t>(placement.offset);
      placement.tensor->produce([&](const void* data, std::size_t bytes) {
        for (const char* from = static_cast<const char*>(data); bytes > 0;) {
          const ssize_t done = pwrite(fd, from, bytes, at);
          if (done < 0 && errno == EINTR) continue;
          if (done < 0) {
            const int why = errno;
            close(fd);
            throw Error(ErrorKind::io, path_, std::string("cannot be written: ") + std::strerror(why));
          }
          from += done;
          at += done;
          bytes -= static_cast<std::size_t>(done);
        }
      });
    }
    close(fd);
  }

  /// Returns its bytes.
  std::uint64_t copy_original() {
    ByteInput original(path_);
    const Bytes bytes = original.take_rest();
    output().write(bytes.data, bytes.size);
    return bytes.size;
  }

  /// The file or its copy. HDF5 would cut off what lies behind the image that it opens, as the other batches of a
  /// stream do.
  Handle open_original(const std::string& path, unsigned mode, std::uint64_t size) const {
    const Handle access = file_access();
    Handle file(H5Fopen(path.c_str(), mode, access), H5Fclose);
    haddr_t end = 0;
    if (!file || H5Fget_eoa(file, &end) < 0)
      throw Error(ErrorKind::data, path_, "is no HDF5 file that takes more: " + hdf5::last_error());
    if (size <= end) return file;
    throw Error(ErrorKind::data, path_,
                "has " + std::to_string(size - end) + " bytes behind its first HDF5 image, which would be lost",
                "write to a new file");
  }

  void make_room(Id file, const std::string& name) const {
    if (is_replaced(file, name)) H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  }

  /// Is a dataset of that name there? Throws Error(create) where it may not be replaced, or none can be made.
  bool is_replaced(Id file, const std::string& name) const {
    const std::string subject = path_ + ":/" + name;
    H5O_info_t info;
    bool is_known = false;
    for (std::size_t end = 0; end != std::string::npos;) {
      end = name.find('/', end + 1);
      const std::string path = name.substr(0, end);
      if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return false;
      is_known = H5Oget_info_by_name2(file, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0;
      if (end != std::string::npos && is_known && info.type != H5O_TYPE_GROUP) explain_refusal(file, name, subject, "");
    }
    if (is_known && info.type == H5O_TYPE_GROUP)
      throw Error(ErrorKind::create, subject, "is a group, not a dataset", "give a name below it or another one");
    if (is_known && info.type != H5O_TYPE_DATASET)
      throw Error(ErrorKind::create, subject, "is a type, not a dataset", "give another name");
    if (!overwrite_) throw Error(ErrorKind::create, subject, "exists", "give -f to replace it, or another name");
    return true;
  }

  std::string path_;
  bool overwrite_;
};

}  // namespace

std::unique_ptr<Sink> hdf5_sink(std::unique_ptr<ByteOutput> output) {
  return std::make_unique<Hdf5Sink>(std::move(output));
}

std::unique_ptr<Sink> hdf5_append_sink(const std::string& path, bool overwrite) {
  return std::make_unique<Hdf5AppendSink>(path, overwrite);
}

}  // namespace attn::io
