// Matrix Market, a format of text for sparse and dense matrices: a header, comments, a line of sizes, the elements.
// source  Boisvert, Pozo and Remington 1996, The Matrix Market exchange formats: initial design (NISTIR 5935)

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/numbers/numbers.hpp>
#include <attn/io/sparse_matrix.hpp>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

namespace attn::io {
namespace {

constexpr std::string_view signature = "%%matrixmarket";
constexpr const char* dataset = "matrix";

/// The lines of a text that are neither blank nor comments, and their words.
class Lines {
 public:
  Lines(std::string_view text, const std::string& label) : rest_(text), label_(&label) {}

  /// The whole next line.
  std::string_view take() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    return line_ = trimmed(line_);
  }
  /// Moves on to the next line of numbers; false at the end.
  bool next() {
    while (!rest_.empty())
      if (!take().empty() && line_.front() != '%') return true;
    return false;
  }
  bool is_at_line_end() const noexcept { return line_.empty(); }

  /// The next number of the line.
  template <class T>
  T take_number() {
    const std::string_view word = line_.substr(0, line_.find_first_of(" \t"));
    T number{};
    if (!parse_number(word, number))
      refuse(word.empty()
                 ? "a line of too few numbers"
                 : shown_text(word) + (std::is_integral_v<T> ? " is not a whole number in range" : " is not a number"));
    line_ = trimmed(line_.substr(word.size()));
    return number;
  }
  /// A row or a column, counted from 1; from 0 here.
  std::size_t take_index(std::size_t extent) {
    const auto index = take_number<std::uint64_t>();
    if (index < 1 || index > extent)
      refuse("the index " + std::to_string(index) + ", expected 1 to " + std::to_string(extent));
    return index - 1;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::data, *label_ + ":" + std::to_string(number_), what);
  }

 private:
  std::string_view rest_, line_;
  const std::string* label_;
  std::size_t number_ = 0;
};

class MatrixMarketSource final : public Source {
 public:
  explicit MatrixMarketSource(std::unique_ptr<ByteInput> input)
      : label_(input->label()), bytes_(input->take_rest()), elements_(bytes_.text(), label_) {
    const DType dtype = read_header(lower_case(std::string(elements_.take())));
    if (!elements_.next()) throw Error(ErrorKind::input, label_, "is truncated: it has no line of sizes");
    const auto rows = elements_.take_number<std::uint64_t>(), columns = elements_.take_number<std::uint64_t>();
    tensors_ = {{dataset, dtype, {rows, columns}}};
    if (!counted_elements({rows, columns})) elements_.refuse("sizes of more elements than an address can count");
    if (is_symmetric_ && rows != columns) elements_.refuse("a symmetric matrix that is not square");
    if (is_sparse_)
      count_ = elements_.take_number<std::uint64_t>();
    else  // of a symmetric matrix, those on and below the diagonal; of a skew-symmetric one, those below
      count_ = (element_count({rows, columns}) + (is_symmetric_ ? rows : 0)) / (is_symmetric_ ? 2 : 1) -
               (is_skew_ ? rows : 0);
    if (!elements_.is_at_line_end()) elements_.refuse("a line of sizes with too many numbers");
  }

  const std::string& label() const noexcept override { return label_; }
  const std::vector<TensorInfo>& tensors() const noexcept override { return tensors_; }
  Attributes attributes(const std::string&) const override { return {}; }
  TensorView read(const std::string& name, const Slab& part) override {
    DensePart dense(describe(name), part, label_ + ":/" + dataset);
    switch (tensors_.front().dtype) {
      case DType::i64: read_elements<std::int64_t>(dense); break;
      case DType::u64: read_elements<std::uint64_t>(dense); break;
      case DType::boolean: read_elements<Boolean>(dense); break;
      default: read_elements<double>(dense);
    }
    return dense.view();
  }

 private:
  /// "%%matrixmarket matrix coordinate real general"
  DType read_header(std::string_view line) {
    const auto take_word = [&line] {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      const std::string_view word = line.substr(0, line.find_first_of(" \t"));
      line.remove_prefix(word.size());
      return word;
    };
    take_word();
    const std::string_view object = take_word(), form = take_word(), field = take_word(), symmetry = take_word();
    if (field == "complex")
      throw Error(ErrorKind::data, label_, "is a complex matrix in the Matrix Market format",
                  "save its real and its imaginary part as two matrices");
    is_sparse_ = form == "coordinate";
    is_skew_ = symmetry == "skew-symmetric";
    is_symmetric_ = is_skew_ || symmetry == "symmetric";
    constexpr std::pair<std::string_view, DType> fields[] = {{"real", DType::f64},
                                                             {"double", DType::f64},
                                                             {"integer", DType::i64},
                                                             {"unsigned-integer", DType::u64},
                                                             {"pattern", DType::boolean}};
    const auto* const found =
        std::find_if(std::begin(fields), std::end(fields), [field](const auto& known) { return known.first == field; });
    const bool is_known = object == "matrix" && (is_sparse_ || form == "array") && found != std::end(fields) &&
                          (is_sparse_ || field != "pattern") && (is_symmetric_ || symmetry == "general") &&
                          !(is_skew_ && (field == "pattern" || field == "unsigned-integer"));
    if (!is_known)
      elements_.refuse(
          "a Matrix Market header that is not read, expected 'matrix', 'coordinate' or 'array', 'real', 'integer' or "
          "(of coordinates) 'pattern', and 'general', 'symmetric' or 'skew-symmetric'");
    return found->second;
  }

  /// Elements that are there twice add up, as in other readers.
  template <class T>
  void read_elements(DensePart& dense) const {
    const Shape& shape = tensors_.front().shape;
    T* const out = dense.elements().data_as<T>();
    Lines lines = elements_;
    std::size_t count = 0, row = is_skew_ ? 1 : 0, column = 0;
    const auto put = [&](std::size_t i, std::size_t j, T value, bool is_negative) {
      const std::optional<std::size_t> at = dense.find(i, j);
      if (!at) return;
      T& sum = out[*at];
      if constexpr (std::is_same_v<T, Boolean>) {
        sum = value;
      } else if constexpr (std::is_same_v<T, double>) {
        sum += is_negative ? -value : value;
      } else if (is_negative ? __builtin_sub_overflow(sum, value, &sum) : __builtin_add_overflow(sum, value, &sum)) {
        lines.refuse("a number beyond 64 bits");
      }
    };
    while (lines.next()) {
      do {
        if (count++ == count_) lines.refuse("more elements than the " + std::to_string(count_) + " of the sizes");
        if (is_sparse_) {
          row = lines.take_index(shape[0]);
          column = lines.take_index(shape[1]);
        }
        T value{1};
        if constexpr (!std::is_same_v<T, Boolean>) value = lines.take_number<T>();
        if (is_skew_ && row == column) lines.refuse("an element on the diagonal of a skew-symmetric matrix");
        put(row, column, value, false);
        if (is_symmetric_ && row != column) put(column, row, value, is_skew_);
        if (!is_sparse_ && ++row == shape[0]) {
          ++column;
          row = is_symmetric_ ? column + (is_skew_ ? 1 : 0) : 0;
        }
      } while (!is_sparse_ && !lines.is_at_line_end());
      if (!lines.is_at_line_end()) lines.refuse("a line of too many numbers");
    }
    if (count < count_)
      throw Error(ErrorKind::input, label_,
                  "is truncated: it holds " + std::to_string(count) + " of " + std::to_string(count_) + " elements");
  }

  std::string label_;
  Bytes bytes_;
  Lines elements_;  ///< behind the sizes
  bool is_sparse_ = false, is_symmetric_ = false, is_skew_ = false;
  std::uint64_t count_ = 0;  ///< of elements that are there
  std::vector<TensorInfo> tensors_;
};

}  // namespace

bool looks_like_matrix_market(std::string_view head) {
  const std::string_view behind = head.substr(std::min(head.size(), signature.size()), 1);
  return lower_case(std::string(head.substr(0, signature.size()))) == signature &&
         behind.find_first_not_of(" \t\r\n") == behind.npos;
}

std::unique_ptr<Source> open_matrix_market(std::unique_ptr<ByteInput> input) {
  return std::make_unique<MatrixMarketSource>(std::move(input));
}

}  // namespace attn::io
