// NPY, the format of numpy.save: a magic, a version, a Python dictionary as text, the elements.

#include <attn/core/error.hpp>
#include <attn/io/collecting_sink.hpp>
#include <attn/io/elements.hpp>
#include <attn/io/formats.hpp>
#include <attn/io/number_text.hpp>

#include <algorithm>
#include <cstring>

namespace attn::io {
namespace {

constexpr const char* dataset_name = "array";  // the format has no names

struct Header {
  char order = '|', kind = 0;  // '<' little, '>' big endian; 'f', 'i', 'u', 'b', 'S', 'U', 'V'
  std::size_t width = 0;       // bytes of an element, characters of a 'U'
  bool fortran_order = false;
  Shape shape;
};

/// Reads the dictionary by its grammar: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::string label) : rest_(text), label_(std::move(label)) {}

  Header parse() {
    Header header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        parse_descr(header);
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header.fortran_order = boolean();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.shape = tuple();
      } else {
        damaged("an unexpected key '" + std::string(key) + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty()) damaged("text after its dictionary");
    if (!has_descr || !has_order || !has_shape) damaged("no descr, fortran_order or shape");
    return header;
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const {
    throw Error(ErrorKind::data, label_, "has a damaged NPY header: " + what);
  }
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) damaged(std::string("expected '") + c + "'");
  }
  std::string_view quoted() {
    skip_blanks();
    const char quote = rest_.empty() ? 0 : rest_.front();
    if (quote != '\'' && quote != '"') damaged("expected a quoted word");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) damaged("a quoted word without an end");
    const std::string_view word = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return word;
  }
  void parse_descr(Header& header) {
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '[')
      throw Error(ErrorKind::data, label_, "holds records, expected an array of numbers",
                  "save one field of it, as in numpy.save(f, a['field'])");
    const std::string_view descr = quoted();
    std::uint32_t width = 0;
    if (descr.size() < 3 || !parse_number(descr.substr(2), width))
      throw Error(ErrorKind::data, label_, "has elements of type '" + std::string(descr) + "', expected numbers");
    header.order = descr[0];
    header.kind = descr[1];
    header.width = width;
  }
  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (rest_.substr(0, word.size()) != word) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    damaged("expected True or False");
  }
  Shape tuple() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      const std::size_t end = rest_.find_first_not_of("0123456789");
      std::uint64_t extent = 0;
      if (end == std::string_view::npos || !parse_number(rest_.substr(0, end), extent))
        damaged("a shape of no numbers");
      rest_.remove_prefix(end);
      if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // as Python 2 wrote long integers
      shape.push_back(extent);
      if (shape.size() > 64) damaged("more than 64 axes");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  std::string_view rest_;
  std::string label_;
};

/// bfloat16 has no NumPy type of its own; ml_dtypes stores it as two void bytes.
bool dtype_of_descr(const Header& header, DType& dtype) {
  const auto is = [&](char kind, std::size_t width) { return header.kind == kind && header.width == width; };
  if (is('f', 8)) return dtype = DType::f64, true;
  if (is('f', 4)) return dtype = DType::f32, true;
  if (is('f', 2)) return dtype = DType::f16, true;
  if (is('V', 2)) return dtype = DType::bf16, true;
  if (is('i', 8)) return dtype = DType::i64, true;
  if (is('i', 4)) return dtype = DType::i32, true;
  if (is('i', 2)) return dtype = DType::i16, true;
  if (is('i', 1)) return dtype = DType::i8, true;
  if (is('u', 8)) return dtype = DType::u64, true;
  if (is('u', 4)) return dtype = DType::u32, true;
  if (is('u', 2)) return dtype = DType::u16, true;
  if (is('u', 1)) return dtype = DType::u8, true;
  if (is('b', 1)) return dtype = DType::boolean, true;
  if (header.kind == 'S' || header.kind == 'U') return dtype = DType::string, true;
  return false;
}

std::string descr_of(DType dtype) {
  switch (dtype) {
    case DType::f64: return "<f8";
    case DType::f32: return "<f4";
    case DType::f16: return "<f2";
    case DType::bf16: return "<V2";
    case DType::i64: return "<i8";
    case DType::i32: return "<i4";
    case DType::i16: return "<i2";
    case DType::i8: return "|i1";
    case DType::u64: return "<u8";
    case DType::u32: return "<u4";
    case DType::u16: return "<u2";
    case DType::u8: return "|u1";
    case DType::boolean: return "|b1";
    case DType::string: break;
  }
  return {};
}

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
std::string string_at(const unsigned char* at, const Header& header, bool swap, const std::string& label) {
  std::string text;
  if (header.kind == 'S') {
    text.assign(reinterpret_cast<const char*>(at), header.width);
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
  }
  std::vector<std::uint32_t> codes(header.width);
  if (!codes.empty()) std::memcpy(codes.data(), at, codes.size() * 4);
  if (swap) swap_elements(codes.data(), codes.size(), 4);
  while (!codes.empty() && codes.back() == 0) codes.pop_back();
  for (const std::uint32_t code : codes) {
    const bool is_character = code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
    if (!is_character)
      throw Error(ErrorKind::data, label,
                  "has a string with code point " + std::to_string(code) + ", which is no character");
    append_utf8(text, code);
  }
  return text;
}

class NpySource final : public Source {
 public:
  NpySource(std::unique_ptr<ByteInput> input, const InputOptions& options)
      : input_(std::move(input)), limit_(options.memory) {
    read_array();
  }

  const std::string& label() const noexcept override { return input_->label(); }
  Buffer buffer() const noexcept override { return {elements_.data, elements_.size, elements_.is_mapped}; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  Attributes attributes(const std::string& name) const override {
    if (!name.empty()) describe(name);
    return {};
  }

  TensorView read(const std::string& name, const Slab& part) override {
    const TensorInfo info = describe(name);
    StoredTensor stored{info.dtype, info.shape, {}, header_.order == '>'};
    if (header_.fortran_order) stored.strides = column_major(info.shape);
    if (info.dtype != DType::string) return view_stored(elements_, stored, part, label(), limit_);
    const std::size_t count = element_count(info.shape);
    limit_.require(count * sizeof(std::string), label());
    Tensor strings(DType::string, info.shape);
    auto* out = strings.data_as<std::string>();
    for (std::size_t i = 0; i < count; ++i)
      out[i] = string_at(elements_.data + i * stored_width(), header_, stored.swap_bytes, label());
    TensorView view = strings.view(label());
    if (header_.fortran_order) view.strides = stored.strides;
    return slice(view, part);
  }

  bool next_batch() override {
    if (input_->peek(1).empty()) return false;
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
    elements_ = {};  // let go before the next ones come
    const Bytes start = input_->take(8);
    if (start.text().substr(0, 6) != npy_signature)
      throw Error(ErrorKind::data, label(), "has bytes behind its array that are no other array");
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
    header_ = HeaderParser(text.text(), label()).parse();
    DType dtype;
    if (!dtype_of_descr(header_, dtype))
      throw Error(ErrorKind::data, label(),
                  std::string("has elements of type '") + header_.order + header_.kind + std::to_string(header_.width) +
                      "', expected numbers or strings");
    elements_ = input_->take(stored_bytes(header_.shape, stored_width(), label()));
    tensors_ = {{dataset_name, dtype, header_.shape}};
  }

  std::unique_ptr<ByteInput> input_;
  MemoryLimit limit_;
  Header header_;
  Bytes elements_;
  std::vector<TensorInfo> tensors_;
};

class NpySink final : public CollectingSink {
 public:
  using CollectingSink::CollectingSink;

 private:
  void require_batches() const override {}

  void write_batch(const OutgoingBatch& batch) override {
    if (batch.tensors.size() != 1)
      throw Error(ErrorKind::usage, output().label(), "holds one dataset, got " + std::to_string(batch.tensors.size()),
                  "write HDF5 or safetensors");
    const OutgoingTensor& tensor = batch.tensors.front();
    if (tensor.dtype() == DType::string)
      throw Error(ErrorKind::usage, output().label(), "cannot hold strings as NPY", "write CSV or HDF5");
    std::string shape;
    for (const std::size_t extent : tensor.shape()) shape += std::to_string(extent) + ", ";
    if (tensor.shape().size() > 1) shape.resize(shape.size() - 2);
    if (tensor.shape().size() == 1) shape.resize(shape.size() - 1);
    std::string header =
        "{'descr': '" + descr_of(tensor.dtype()) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    // Elements start at a multiple of 64, as NumPy writes them. A shape of 64 axes still fits version 1.
    constexpr std::size_t fixed = 10, alignment = 64;
    header.resize((fixed + header.size() + 1 + alignment - 1) / alignment * alignment - fixed - 1, ' ');
    header += '\n';
    std::string start(npy_signature);
    start += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    start += header;
    output().write(start.data(), start.size());
    tensor.produce([this](const void* data, std::size_t bytes) { output().write(data, bytes); });
  }
};

}  // namespace

std::unique_ptr<Source> open_npy(std::unique_ptr<ByteInput> input, const InputOptions& options) {
  return std::make_unique<NpySource>(std::move(input), options);
}

std::unique_ptr<Sink> npy_sink(std::unique_ptr<ByteOutput> output) {
  return std::make_unique<NpySink>(std::move(output));
}

}  // namespace attn::io
