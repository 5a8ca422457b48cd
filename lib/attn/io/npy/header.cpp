#include <attn/core/error.hpp>
#include <attn/io/formats/stored_elements.hpp>
#include <attn/io/npy/header.hpp>
#include <attn/io/numbers/parse.hpp>

#include <cstdint>
#include <utility>

namespace attn::io {
namespace {

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

/// Reads the dictionary by its grammar: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
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

}  // namespace

void refuse_npy_type(std::string_view descr, const std::string& label) {
  throw Error(ErrorKind::data, label, "has elements of type '" + std::string(descr) + "', expected numbers or strings",
              conversion_of(descr));
}

NpyHeader parse_npy_header(std::string_view text, const std::string& label) {
  return HeaderParser(text, label).parse();
}

bool npy_dtype(const NpyHeader& header, DType& dtype) {
  for (const NumberType& type : number_types)
    if (header.kind == type.descr[1] && header.width == static_cast<std::size_t>(type.descr[2] - '0'))
      return dtype = type.dtype, true;
  if (header.kind == 'S' || header.kind == 'U') return dtype = DType::string, true;
  return false;
}

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

}  // namespace attn::io
