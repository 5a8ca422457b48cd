// NPY, the format of numpy.save: a magic, a version, a Python dictionary as text, the elements.

#include <attn/core/dtype.hpp>
#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/formats/collecting_sink.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/numbers/numbers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace attn::io {
namespace {

struct NpyHeader {
  char order = '|', kind = 0;  ///< '<' little, '>' big endian; 'f', 'i', 'u', 'b', 'S', 'U', 'V'
  std::size_t width = 0;       ///< bytes of an element, characters of a 'U'
  bool fortran_order = false;
  Shape shape;
};

struct NumberType {
  DType dtype;
  const char* descr;  ///< order, kind and bytes, as NumPy writes them
};
constexpr NumberType number_types[] = {
    {DType::f64, "<f8"}, {DType::f32, "<f4"}, {DType::f16, "<f2"},    {DType::bf16, "<V2"}, {DType::i64, "<i8"},
    {DType::i32, "<i4"}, {DType::i16, "<i2"}, {DType::i8, "|i1"},     {DType::u64, "<u8"},  {DType::u32, "<u4"},
    {DType::u16, "<u2"}, {DType::u8, "|u1"},  {DType::boolean, "|b1"}};

/// "<f4" for "float32", as some writers have it, and "|b1" for "?"; empty for any other word.
std::string_view descr_of_name(std::string_view word) {
  constexpr std::pair<std::string_view, DType> names[] = {
      {"float64", DType::f64},  {"float32", DType::f32}, {"float16", DType::f16}, {"bfloat16", DType::bf16},
      {"int64", DType::i64},    {"int32", DType::i32},   {"int16", DType::i16},   {"int8", DType::i8},
      {"uint64", DType::u64},   {"uint32", DType::u32},  {"uint16", DType::u16},  {"uint8", DType::u8},
      {"bool", DType::boolean}, {"?", DType::boolean},   {"|?", DType::boolean}};
  for (const auto& [name, dtype] : names)
    for (const NumberType& type : number_types)
      if (word == name && type.dtype == dtype) return type.descr;
  return {};
}

/// Python code that converts an array of objects, complex numbers or times to numbers.
std::string conversion_of(std::string_view descr) {
  switch (descr.size() > 1 ? descr[1] : 0) {
    case 'O': return "save numbers, as in numpy.save(f, a.astype(float))";
    case 'c': return "save its parts, as in numpy.save(f, numpy.stack([a.real, a.imag]))";
    case 'M':
    case 'm': return "save its ticks, as in numpy.save(f, a.astype('i8'))";
    default: return "save it as another type, as in numpy.save(f, a.astype('f8'))";
  }
}

/// Throws Error(data) for elements of another type, such as "|O", with a hint how to save them as numbers.
[[noreturn]] void refuse_npy_type(std::string_view descr, const std::string& label) {
  throw Error(ErrorKind::data, label, "has elements of type '" + std::string(descr) + "', expected numbers or strings",
              conversion_of(descr));
}

/// Reads the dictionary by its grammar: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. Throws Error(data)
/// that names `label`.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::string label) : rest_(text), label_(std::move(label)) {}

  NpyHeader parse() {
    NpyHeader header;
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
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
      rest_.remove_prefix(1);
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
  void parse_descr(NpyHeader& header) {
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '[')
      throw Error(ErrorKind::data, label_, "holds records, expected an array of numbers",
                  "save one field of it, as in numpy.save(f, a['field'])");
    const std::string_view descr = quoted();
    const std::string_view named = descr_of_name(descr), given = named.empty() ? descr : named;
    // Writers other than NumPy leave the order out: it is that of most machines.
    const bool has_order = !given.empty() && std::string_view("<>|=").find(given.front()) != std::string_view::npos;
    const std::string_view type = given.substr(has_order ? 1 : 0);
    std::uint32_t width = 0;
    if (type.size() < 2 || !parse_number(type.substr(1), width)) refuse_npy_type(descr, label_);
    header.order = has_order ? given.front() : '<';
    header.kind = type.front();
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
      if (shape.size() > most_axes) damaged("more than " + std::to_string(most_axes) + " axes");
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

std::string descr_of(DType dtype) {
  for (const NumberType& type : number_types)
    if (type.dtype == dtype) return type.descr;
  return {};
}

/// False for elements that are neither numbers nor strings. NumPy has no bfloat16; ml_dtypes stores it as two void
/// bytes.
bool npy_dtype(const NpyHeader& header, DType& dtype) {
  for (const NumberType& type : number_types)
    if (header.kind == type.descr[1] && header.width == static_cast<std::size_t>(type.descr[2] - '0'))
      return dtype = type.dtype, true;
  if (header.kind == 'S' || header.kind == 'U') return dtype = DType::string, true;
  return false;
}

/// The header after the ten fixed bytes of version 1, padded so that elements start at a multiple of 64, as NumPy
/// writes it; for numbers. A shape of 64 axes still fits.
std::string npy_header_text(DType dtype, const Shape& shape) {
  std::string extents;
  for (const std::size_t extent : shape) extents += std::to_string(extent) + ", ";
  if (shape.size() > 1) extents.resize(extents.size() - 2);
  if (shape.size() == 1) extents.resize(extents.size() - 1);
  std::string header = "{'descr': '" + descr_of(dtype) + "', 'fortran_order': False, 'shape': (" + extents + "), }";
  constexpr std::size_t fixed = 10, alignment = 64;
  header.resize((fixed + header.size() + 1 + alignment - 1) / alignment * alignment - fixed - 1, ' ');
  return header + '\n';
}

constexpr const char* dataset_name = "array";  // the format has no names

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

NpyHeader read_header(ByteInput& input) {
  const Bytes start = input.take(8);
  if (start.text().substr(0, npy_signature.size()) != npy_signature)
    throw Error(ErrorKind::data, input.label(), "does not begin as an NPY file does");
  const unsigned version = start.data[6];
  if (version < 1 || version > 3)
    throw Error(ErrorKind::data, input.label(), "has NPY version " + std::to_string(version) + ", expected 1 to 3");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const Bytes length = input.take(length_bytes);
  std::size_t header_bytes = 0;
  for (std::size_t i = length_bytes; i-- > 0;) header_bytes = header_bytes << 8 | length.data[i];
  constexpr std::size_t header_limit = std::size_t{1} << 20;
  if (header_bytes > header_limit)
    throw Error(ErrorKind::data, input.label(), "claims a header of " + std::to_string(header_bytes) + " bytes");
  const Bytes text = input.take(header_bytes);
  return HeaderParser(text.text(), input.label()).parse();
}

TensorInfo info_of(const NpyHeader& header, const std::string& label) {
  DType dtype;
  if (!npy_dtype(header, dtype))
    refuse_npy_type(std::string{header.order, header.kind} + std::to_string(header.width), label);
  return {dataset_name, dtype, header.shape};
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
  bool reads_again() const noexcept override { return elements_.arrival == nullptr; }

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
    header_ = read_header(*input_);
    tensors_ = {info_of(header_, label())};
    elements_ = input_->take_arriving(stored_bytes(header_.shape, stored_width(), label()));
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
                  "write NPZ, HDF5 or safetensors");
    if (batch.front().dtype == DType::string)
      throw Error(ErrorKind::usage, output().label(), "cannot hold strings as NPY", "write CSV or HDF5");
  }

  void write_batch(const OutgoingBatch& batch) override {
    const OutgoingTensor& tensor = batch.tensors.front();
    const std::string start = start_of_npy(tensor.dtype(), tensor.shape());
    output().write(start.data(), start.size());
    tensor.produce([this](const void* data, std::size_t bytes) { output().write(data, bytes); });
  }
};

}  // namespace

std::string start_of_npy(DType dtype, const Shape& shape) {
  const std::string header = npy_header_text(dtype, shape);
  std::string start(npy_signature);
  start += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return start + header;
}

TensorInfo info_of_npy(ByteInput input) { return info_of(read_header(input), input.label()); }

std::unique_ptr<Source> open_npy(std::unique_ptr<ByteInput> input) {
  return std::make_unique<NpySource>(std::move(input));
}

std::unique_ptr<Sink> npy_sink(std::unique_ptr<ByteOutput> output) {
  return std::make_unique<NpySink>(std::move(output));
}

}  // namespace attn::io
