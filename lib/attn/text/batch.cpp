#include <attn/core/error.hpp>
#include <attn/text/batch.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace attn::text {

namespace {

void append_number(std::string& line, std::int64_t number) {
  char digits[24];
  line.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

EncodingBatch pad(const std::vector<Encoding>& encodings, const PaddingOptions& options, std::size_t min_length) {
  std::size_t length = min_length;
  for (const Encoding& encoding : encodings) length = std::max(length, encoding.size());
  length = (length + options.multiple - 1) / options.multiple * options.multiple;
  const bool offsets =
      std::any_of(encodings.begin(), encodings.end(), [](const Encoding& e) { return !e.offsets.empty(); });
  const std::size_t rows = encodings.size();
  EncodingBatch batch{Tensor(DType::i64, {rows, length}), Tensor(DType::u8, {rows, length}),
                      Tensor(DType::i64, {rows, length}), Tensor::zeros(DType::i64, {offsets ? rows : 0, length, 2})};
  std::fill_n(batch.ids.data_as<std::int64_t>(), rows * length, options.id);
  std::fill_n(batch.type_ids.data_as<std::int64_t>(), rows * length, options.type_id);
  std::fill_n(batch.mask.data_as<std::uint8_t>(), rows * length, std::uint8_t{0});
  for (std::size_t row = 0; row < rows; ++row) {
    const Encoding& encoding = encodings[row];
    const std::size_t begin = row * length + (options.side == Side::left ? length - encoding.size() : 0);
    std::copy(encoding.ids.begin(), encoding.ids.end(), batch.ids.data_as<std::int64_t>() + begin);
    std::copy(encoding.type_ids.begin(), encoding.type_ids.end(), batch.type_ids.data_as<std::int64_t>() + begin);
    std::fill_n(batch.mask.data_as<std::uint8_t>() + begin, encoding.size(), std::uint8_t{1});
    for (std::size_t i = 0; i < encoding.offsets.size(); ++i) {
      std::int64_t* const span = batch.offsets.data_as<std::int64_t>() + 2 * (begin + i);
      span[0] = static_cast<std::int64_t>(encoding.offsets[i].begin);
      span[1] = static_cast<std::int64_t>(encoding.offsets[i].end);
    }
  }
  return batch;
}

std::vector<TokenId> ids_from_text(std::string_view line) {
  std::vector<TokenId> ids;
  const char* const end = line.data() + line.size();
  for (const char* at = line.data(); at != end;) {
    if (*at == ' ' || *at == '\t' || *at == ',' || *at == '\r') {
      ++at;
      continue;
    }
    TokenId id = 0;
    const auto [stop, error] = std::from_chars(at, end, id);
    if (error != std::errc{} || (stop != end && std::strchr(" \t,\r", *stop) == nullptr)) {
      const char* const word_end =
          std::find_if(at, end, [](char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; });
      throw Error(ErrorKind::data, "ids",
                  "\"" + std::string(at, std::min(word_end, at + 40)) + "\" is not a whole number",
                  "give ids with spaces between");
    }
    ids.push_back(id);
    at = stop;
  }
  return ids;
}

std::string to_line(const Encoding& encoding, const TextInput& input, const Tokenizer& tokenizer, View view) {
  const auto offsets = in_code_points(encoding, input.first, input.second.value_or(""));
  std::string line;
  line.reserve(6 * encoding.size());
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    if (i > 0) line += view == View::tokens ? '\t' : ' ';
    if (view == View::tokens) {
      line += tokenizer.token(encoding.ids[i]);
    } else {
      append_number(line, encoding.ids[i]);
    }
    if (offsets.empty()) continue;
    line += ':';
    append_number(line, static_cast<std::int64_t>(offsets[i].begin));
    line += '-';
    append_number(line, static_cast<std::int64_t>(offsets[i].end));
  }
  return line;
}

}  // namespace attn::text
