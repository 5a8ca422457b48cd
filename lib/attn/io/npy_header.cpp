#include <attn/core/error.hpp>
#include <attn/io/npy_header.hpp>
#include <attn/io/number_text.hpp>

#include <cstdint>

namespace attn::io {
namespace {

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
  void parse_descr(NpyHeader& header) {
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

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& label) {
  return HeaderParser(text, label).parse();
}

bool npy_dtype(const NpyHeader& header, DType& dtype) {
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
