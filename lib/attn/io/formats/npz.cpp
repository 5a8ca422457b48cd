// NPZ, the format of numpy.savez and savez_compressed: a ZIP archive of NPY files.

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/bytes/zip.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/formats.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attn::io {
namespace {

constexpr std::string_view suffix = ".npy";
constexpr const char* dataset_of_npy = "array";

class NpzSource final : public Source {
 public:
  explicit NpzSource(ZipArchive archive) : archive_(std::move(archive)) {
    constexpr std::size_t longest_header = std::size_t{1} << 17;
    std::set<std::string> names;
    for (const ZipEntry& entry : archive_.entries()) {
      if (entry.name.empty() || entry.name.back() == '/') continue;  // a folder
      const bool is_array = ends_with(entry.name, suffix);
      const std::string name = entry.name.substr(0, entry.name.size() - (is_array ? suffix.size() : 0));
      if (!names.insert(name).second)
        throw Error(ErrorKind::data, label(), "has two entries '" + entry.name + "'", "copy or make it again");
      const std::string obstacle = is_array ? ZipArchive::obstacle(entry) : "is no NPY file";
      try {
        if (!obstacle.empty()) throw Error(ErrorKind::data, name, obstacle);
        TensorInfo info = info_of_npy(ByteInput(archive_.beginning(entry, longest_header), label() + ":/" + name));
        info.name = name;
        tensors_.push_back(info);
        entries_[name] = &entry;
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::data || error.subject() == label()) throw;
        unreadable_.push_back({name, error.detail(), error.fix()});
      }
    }
  }

  const std::string& label() const noexcept override { return archive_.label(); }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  const std::vector<Unreadable>& unreadable() const noexcept override { return unreadable_; }
  Attributes attributes(const std::string& name) const override {
    if (!name.empty()) describe(name);
    return {};
  }
  TensorView read(const std::string& name, const Slab& part) override {
    return array(describe(name).name).read(dataset_of_npy, part);
  }
  void release(const TensorView& part) const noexcept override {
    for (const auto& [name, opened] : opened_) opened->release(part);
  }

 private:
  Source& array(const std::string& name) {
    std::unique_ptr<Source>& opened = opened_[name];
    if (opened == nullptr)
      opened = open_npy(std::make_unique<ByteInput>(archive_.content(*entries_.at(name)), label() + ":/" + name));
    return *opened;
  }

  ZipArchive archive_;
  std::vector<TensorInfo> tensors_;
  std::vector<Unreadable> unreadable_;
  std::map<std::string, const ZipEntry*> entries_;
  std::map<std::string, std::unique_ptr<Source>> opened_;
};

/// Arrays are stored, not deflated. Their checksums are known when they have been written, and follow them.
class NpzSink final : public CollectingSink {
 public:
  using CollectingSink::CollectingSink;

 private:
  std::string obstacle_to_batches() const override { return "as NPZ"; }
  std::string stored_name(const std::string& name) const override { return utf8_name(name, "NPZ"); }

  void require_fit(const std::vector<TensorInfo>& batch) const override {
    for (const TensorInfo& tensor : batch)
      if (tensor.dtype == DType::string)
        throw Error(ErrorKind::usage, output().label(), "cannot hold the strings of '" + tensor.name + "' as NPZ",
                    "write CSV or HDF5");
  }

  void write_batch(const OutgoingBatch& batch) override {
    std::string directory;
    for (const OutgoingTensor& tensor : batch.tensors) directory += write_entry(tensor);
    const std::uint64_t begin = written_, count = batch.tensors.size();
    write(directory);
    if (count >= small_count || begin + directory.size() >= small) {
      const std::uint64_t end64 = written_;
      write("PK\x06\x06" + number(44, 8) + number(version64, 2) + number(version64, 2) + number(0, 8) +
            number(count, 8) + number(count, 8) + number(directory.size(), 8) + number(begin, 8));
      write("PK\x06\x07" + number(0, 4) + number(end64, 8) + number(1, 4));
    }
    write(std::string(empty_zip_signature) + number(0, 4) + number(std::min(count, small_count), 2) +
          number(std::min(count, small_count), 2) + number(std::min<std::uint64_t>(directory.size(), small), 4) +
          number(std::min(begin, small), 4) + number(0, 2));
  }

  /// Writes an array and returns its entry of the directory.
  std::string write_entry(const OutgoingTensor& tensor) {
    constexpr std::uint64_t sizes_follow = 8, names_in_utf8 = 0x800, first_day = 0x21, owner_only = 0600;
    const std::string name = tensor.name + std::string(suffix), start = start_of_npy(tensor.dtype(), tensor.shape());
    const std::uint64_t size = start.size() + tensor.bytes(), header = written_;
    const bool is_large = size >= small || header >= small;
    const auto extra = [&](const std::string& rest) {  // zip64
      const std::string values = number(size, 8) + number(size, 8) + rest;
      return is_large ? number(1, 2) + number(values.size(), 2) + values : "";
    };
    const std::string here = extra(""), in_directory = extra(number(header, 8));
    const std::uint64_t shown = is_large ? small : size;
    const std::string version = number(is_large ? version64 : 20, 2);
    // Version, flags, method, time, date; then the checksum, both sizes, and the lengths of name and extra field.
    const std::string common =
        version + number(sizes_follow | names_in_utf8, 2) + number(0, 2) + number(0, 2) + number(first_day, 2);
    const std::string sizes = number(shown, 4) + number(shown, 4) + number(name.size(), 2);
    write(std::string(zip_signature) + common + number(0, 4) + sizes + number(here.size(), 2) + name + here);
    std::uint32_t crc = 0;
    const auto add = [&](const void* data, std::size_t bytes) {
      crc = crc32_of(data, bytes, crc);
      output().write(data, bytes);
      written_ += bytes;
    };
    add(start.data(), start.size());
    tensor.produce(add);
    const std::size_t width = is_large ? 8 : 4;
    write("PK\x07\x08" + number(crc, 4) + number(size, width) + number(size, width));
    return "PK\x01\x02" + number(3 << 8 | version64, 2) + common + number(crc, 4) + sizes +
           number(in_directory.size(), 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(owner_only << 16, 4) +
           number(is_large ? small : header, 4) + name + in_directory;
  }

  void write(const std::string& bytes) {
    output().write(bytes.data(), bytes.size());
    written_ += bytes.size();
  }

  static std::string number(std::uint64_t value, std::size_t width) {
    std::string bytes;
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
  }

  // From these on, numbers are in fields of 64 bits.
  static constexpr std::uint64_t small = 0xffffffff, small_count = 0xffff;
  static constexpr std::uint64_t version64 = 45;
  std::uint64_t written_ = 0;
};

/// What an archive without arrays is, by the names of its entries.
[[noreturn]] void refuse_archive(const ZipArchive& archive) {
  const auto any = [&](const auto& is) {
    return std::any_of(archive.entries().begin(), archive.entries().end(), [&](const ZipEntry& e) { return is(e); });
  };
  if (any([](const ZipEntry& e) { return e.name == "data.pkl" || ends_with(e.name, "/data.pkl"); }))
    throw Error(ErrorKind::data, archive.label(), "is a file of torch.save, a Python pickle",
                how_to_convert_torch(archive.label()));
  if (any([](const ZipEntry& e) { return starts_with(e.name, "xl/"); }))
    throw Error(ErrorKind::data, archive.label(), "is an Excel workbook", "save the sheet as CSV");
  if (archive.entries().empty()) throw Error(ErrorKind::input, archive.label(), "has no arrays: an empty ZIP archive");
  throw Error(ErrorKind::data, archive.label(), "is a ZIP archive without arrays of NumPy, as .npz files have",
              "unpack it and name one of its files");
}

}  // namespace

std::string how_to_convert_torch(const std::string& path) {
  return "write its tensors as safetensors: python3 -c 'import torch, safetensors.torch as s; w = torch.load(\"" +
         path +
         "\", map_location=\"cpu\", weights_only=True); s.save_file({k: v.clone().contiguous() for k, v in "
         "w.items()}, \"" +
         path.substr(0, path.rfind('.')) + ".safetensors\")'";
}

std::unique_ptr<Source> open_npz(std::unique_ptr<ByteInput> input) {
  ZipArchive archive(input->take_rest(), input->label());
  for (const ZipEntry& entry : archive.entries())
    if (ends_with(entry.name, suffix)) return std::make_unique<NpzSource>(std::move(archive));
  refuse_archive(archive);
}

std::unique_ptr<Sink> npz_sink(std::unique_ptr<ByteOutput> output) {
  return std::make_unique<NpzSink>(std::move(output));
}

}  // namespace attn::io
