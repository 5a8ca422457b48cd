// NPY, the format of numpy.save: a magic, a version, a Python dictionary as text, the elements.

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/npy/header.hpp>

#include <algorithm>
#include <cstring>

namespace attn::io {
namespace {

constexpr const char* dataset_name = "array";  // the format has no names

void append_utf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | (code >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0 | ((code >> 18) & 7));
    tail(12), tail(6), tail(0);
  }
}

/// One fixed-width string, padded with NULs: bytes ('S') or 32-bit code points ('U').
std::string string_at(const unsigned char* at, const NpyHeader& header, bool swap, const std::string& label) {
  std::string text;
  if (header.kind == 'S') {
    const std::string_view padded(reinterpret_cast<const char*>(at), header.width);
    return std::string(padded.substr(0, padded.find_last_not_of('\0') + 1));
  }
  std::vector<std::uint32_t> codes(header.width);
  if (!codes.empty()) std::memcpy(codes.data(), at, codes.size() * 4);
  if (swap) swap_elements(codes.data(), codes.size(), 4);
  while (!codes.empty() && codes.back() == 0) codes.pop_back();
  for (const std::uint32_t code : codes) {
    const bool is_character = code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
    if (!is_character)
      throw Error(ErrorKind::data, label,
                  "has a string with code point " + std::to_string(code) + ", which is not a character");
    append_utf8(text, code);
  }
  return text;
}

class NpySource final : public Source {
 public:
  explicit NpySource(std::unique_ptr<ByteInput> input) : input_(std::move(input)) { read_array(); }

  const std::string& label() const noexcept override { return input_->label(); }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  Attributes attributes(const std::string& name) const override {
    if (!name.empty()) describe(name);
    return {};
  }

  TensorView read(const std::string& name, const Slab& part) override {
    const TensorInfo info = describe(name);
    StoredTensor stored{info.dtype, info.shape, {}, header_.order == '>'};
    if (header_.fortran_order) stored.strides = column_major(info.shape);
    if (info.dtype != DType::string) return view_stored(elements_, stored, part, label());
    elements_.await();
    const std::size_t count = element_count(info.shape);
    memory_account().require(count * sizeof(std::string), label());
    Tensor strings(DType::string, info.shape);
    auto* out = strings.data_as<std::string>();
    TextMemory texts(label());
    for (std::size_t i = 0; i < count; ++i) {
      const std::string text = string_at(elements_.data + i * stored_width(), header_, stored.swap_bytes, label());
      texts.add_text(text.size());
      out[i] = text;  // which takes no more room than it needs
      constexpr std::size_t at_once = 1024;
      if (i % at_once == 0) copied_from_mapped(elements_.data, at_once * stored_width());
    }
    TensorView view = std::move(texts).held_by(strings.view(label()));
    if (header_.fortran_order) view.strides = stored.strides;
    return slice(view, part);
  }

  std::size_t rows_together(const std::string& name) const override {
    return !header_.fortran_order && describe(name).dtype != DType::string ? 1 : 0;
  }
  void release(const TensorView& part) const noexcept override { elements_.release(span_of(part)); }
  void discard(const TensorView& part) const noexcept override { elements_.discard(span_of(part)); }

  bool has_next_batch() override {
    const std::string_view start = input_->peek(npy_signature.size());
    if (start.empty()) return false;
    if (start != npy_signature.substr(0, start.size()))
      throw Error(ErrorKind::data, label(), "has bytes after its array that are not another array");
    return true;
  }
  bool next_batch() override {
    if (!has_next_batch()) return false;
    read_array();
    return true;
  }

 private:
  static Strides column_major(const Shape& shape) {
    Shape reversed(shape.rbegin(), shape.rend());
    Strides strides = row_major_strides(reversed);
    std::reverse(strides.begin(), strides.end());
    return strides;
  }
  std::size_t stored_width() const noexcept { return header_.kind == 'U' ? header_.width * 4 : header_.width; }

  void read_array() {
    elements_ = {};  // released before the next ones are read
    const Bytes start = input_->take(8);
    const unsigned version = start.data[6];
    if (version < 1 || version > 3)
      throw Error(ErrorKind::data, label(), "has NPY version " + std::to_string(version) + ", expected 1 to 3");
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const Bytes length = input_->take(length_bytes);
    std::size_t header_bytes = 0;
    for (std::size_t i = length_bytes; i-- > 0;) header_bytes = header_bytes << 8 | length.data[i];
    constexpr std::size_t header_limit = std::size_t{1} << 20;
    if (header_bytes > header_limit)
      throw Error(ErrorKind::data, label(), "claims a header of " + std::to_string(header_bytes) + " bytes");
    const Bytes text = input_->take(header_bytes);
    header_ = parse_npy_header(text.text(), label());
    DType dtype;
    if (!npy_dtype(header_, dtype))
      refuse_npy_type(std::string{header_.order, header_.kind} + std::to_string(header_.width), label());
    elements_ = input_->take_arriving(stored_bytes(header_.shape, stored_width(), label()));
    tensors_ = {{dataset_name, dtype, header_.shape}};
  }

  std::unique_ptr<ByteInput> input_;
  NpyHeader header_;
  Bytes elements_;
  std::vector<TensorInfo> tensors_;
};

class NpySink final : public CollectingSink {
 public:
  using CollectingSink::CollectingSink;

 private:
  void require_fit(const std::vector<TensorInfo>& batch) const override {
    if (batch.size() != 1)
      throw Error(ErrorKind::usage, output().label(), "holds one dataset, got " + std::to_string(batch.size()),
                  "write HDF5 or safetensors");
    if (batch.front().dtype == DType::string)
      throw Error(ErrorKind::usage, output().label(), "cannot hold strings as NPY", "write CSV or HDF5");
  }

  void write_batch(const OutgoingBatch& batch) override {
    const OutgoingTensor& tensor = batch.tensors.front();
    const std::string header = npy_header_text(tensor.dtype(), tensor.shape());
    std::string start(npy_signature);
    start += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    start += header;
    output().write(start.data(), start.size());
    tensor.produce([this](const void* data, std::size_t bytes) { output().write(data, bytes); });
  }
};

}  // namespace

std::unique_ptr<Source> open_npy(std::unique_ptr<ByteInput> input) {
  return std::make_unique<NpySource>(std::move(input));
}

std::unique_ptr<Sink> npy_sink(std::unique_ptr<ByteOutput> output) {
  return std::make_unique<NpySink>(std::move(output));
}

}  // namespace attn::io
