#include "transformer-run/source_batch.hpp"

#include "transformer-run/lines.hpp"
#include "transformer-run/pictures.hpp"

#include <attn/core/error.hpp>

#include <algorithm>

namespace transformer_run {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

/// All of GROUP/0, GROUP/1 ... of --mems.
std::vector<TensorView> memories_of(const Options& options, cli::Inputs& inputs) {
  std::vector<TensorView> memories;
  if (!options.memories.given()) return memories;
  const auto [source, group] = inputs.open(options.memories);
  const std::string prefix = group.empty() ? "mems/" : group + "/";
  while (source->find(prefix + std::to_string(memories.size())) != nullptr)
    memories.push_back(inputs.read(*source, prefix + std::to_string(memories.size())));
  if (memories.empty()) throw Error(ErrorKind::input, source->label(), "has no " + prefix + "0");
  return memories;
}

}  // namespace

std::vector<std::vector<std::int64_t>> tokens_of_lines(const std::vector<std::string>& lines,
                                                       const attn::ModelDescription& model,
                                                       const attn::text::Tokenizer& tokenizer,
                                                       std::optional<std::size_t> max_length, LineNotes* notes,
                                                       const std::optional<attn::text::ChatTemplate>& chat) {
  std::vector<std::vector<std::int64_t>> rows;
  for (const std::string& line : lines) {
    try {
      attn::text::Encoding tokens = attn::tokens_of(line, model, tokenizer, max_length, 0, chat);
      rows.push_back(std::move(tokens.ids));
      if (notes != nullptr) notes->count(rows.size(), tokens.truncated, tokens.has_unknown);
    } catch (const Error& error) {
      throw Error(error.kind(), "line " + std::to_string(rows.size() + 1), error.what());
    }
  }
  return rows;
}

/// --attention-mask as 0 and 1, in one form for attention, pooling and generation.
std::optional<TensorView> mask_of(const Options& options, cli::Inputs& inputs) {
  const std::optional<TensorView> given = inputs.read(options.mask);
  if (!given) return given;
  const TensorView wide = contiguous(cast(*given, attn::DType::f64));
  const double* number = wide.contiguous_data<double>();
  if (std::any_of(number, number + wide.size(), [](double x) { return x < 0; }))
    throw Error(ErrorKind::data, given->name, "has negative numbers, and a mask is not added here",
                "give 1 for a real token and 0 for none");
  attn::Tensor flags(attn::DType::u8, given->shape);
  std::transform(number, number + wide.size(), flags.data_as<std::uint8_t>(), [](double x) { return x != 0; });
  return flags.view(given->name);
}

attn::TokenBatch source_batch(const Options& options, const attn::OpenedModel& opened,
                              const attn::TextVectorParameters& vectors, cli::Session& session) {
  if (opened.sees()) {
    if (options.ids.given()) throw Error(ErrorKind::usage, "--ids", "is for models that take text");
    if (options.pixels.given()) return {*session.read(options.pixels)};
    Pictures source(options.text, opened, session);
    std::vector<TensorView> pixels;
    for (auto items = source.next(1); !items.empty(); items = source.next(1))
      for (const Pictures::Item& item : items) {
        if (item.error) throw Error(*item.error);
        pixels.push_back(*item.pixels);
      }
    if (pixels.empty()) throw Error(ErrorKind::input, "standard input", "names no picture");
    return {stacked(pixels, "pixels")};
  }
  if (options.pixels.given()) throw Error(ErrorKind::usage, "--pixels", "is for models that take pictures");
  if (!options.ids.given() && options.decoder_ids.given() && !opened.description.encoder) {
    const TensorView ids = *session.read(options.decoder_ids);
    return {ids, mask_of(options, session.inputs)};
  }
  const auto padding = opened.description.tokens.padding;
  if (options.ids.given()) {
    const TensorView ids = *session.read(options.ids);
    const std::optional<TensorView> mask = mask_of(options, session.inputs);
    return {ids,
            mask ? mask : attn::padding_mask_of(ids, padding),
            session.read(options.type_ids),
            session.read(options.permutation_mask),
            session.read(options.target_mapping),
            memories_of(options, session.inputs)};
  }
  const attn::text::Tokenizer tokenizer = opened.tokenizer();
  check_tokenizer(opened.description, tokenizer);
  std::vector<std::string> lines = texts_of(options, session).all();
  for (std::string& line : lines) line = text_as_read(line, vectors);
  LineNotes notes;
  std::optional<attn::text::ChatTemplate> chat;
  if (options.chat) chat = opened.chat_template();
  const auto rows = tokens_of_lines(lines, opened.description, tokenizer, max_length_of(options, opened), &notes, chat);
  notes.say(options, opened, session.report);
  return attn::padded_batch(rows, padding.value_or(0));
}

}  // namespace transformer_run
