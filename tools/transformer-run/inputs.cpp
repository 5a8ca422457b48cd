#include "transformer-run/inputs.hpp"

#include "cli/inputs.hpp"
#include "transformer-run/lines.hpp"

#include <attn/core/error.hpp>
#include <attn/image/preprocess.hpp>
#include <attn/io/input.hpp>
#include <attn/io/operand.hpp>
#include <attn/text/lines.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace transformer_run {
namespace {

namespace fs = std::filesystem;
using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

attn::ImagePreprocessing steps_of(const attn::OpenedModel& opened) {
  const auto document = [&](const std::string& name) -> std::optional<attn::JsonNode> {
    const auto text = opened.folder.read(name);
    if (!text) return std::nullopt;
    return attn::JsonNode(*text, opened.folder.file(name));
  };
  const std::string& type = opened.description.model_type;
  // transformers 5 has both kinds inside one file, which older files beside it do not override.
  if (const auto all = document("processor_config.json"))
    for (const char* kind : {"image_processor", "video_processor"})
      if (all->has(kind)) return attn::read_preprocessing(all->object(kind), type);
  for (const char* name : {"preprocessor_config.json", "video_preprocessor_config.json"})
    if (const auto settings = document(name)) return attn::read_preprocessing(*settings, type);
  throw Error(ErrorKind::input, opened.folder.file("preprocessor_config.json"), "no such file",
              "it says how pictures become pixel values, which --pixels takes as they are");
}

/// Files of a folder in the order of their names, without hidden files.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().filename().string().front() != '.') files.push_back(entry.path().string());
  if (failed) throw Error(ErrorKind::input, folder, failed.message());
  std::sort(files.begin(), files.end());
  return files;
}

/// Indices of `wanted` of `count` frames: the first, the last, and evenly spaced ones in between.
std::vector<std::size_t> evenly_spaced(std::size_t count, std::size_t wanted, const std::string& word) {
  if (count < wanted)
    throw Error(ErrorKind::data, word,
                "has " + std::to_string(count) + " frames, the model takes " + std::to_string(wanted));
  std::vector<std::size_t> chosen(wanted, 0);
  for (std::size_t i = 1; i < wanted; ++i) chosen[i] = i * (count - 1) / (wanted - 1);
  return chosen;
}

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

/// A sequence of PNG and JPEG pictures, or a tensor (height, width, 3) or (frames, ...).
class Frames {
 public:
  /// word: an operand. Throws the errors of opening it.
  Frames(const std::string& word, cli::Inputs& inputs) : operand_(attn::io::parse_operand(word)) {
    if (!operand_.is_standard_stream()) own_ = attn::io::open_source(operand_.source);
    source_ = own_ ? own_.get() : &inputs.source(operand_);
    attn::io::resolve_ranges(operand_, *source_);
    load();
  }

  /// The next picture; nothing after the last.
  std::optional<attn::TensorView> next() {
    while (true) {
      if (tensor_.rank() == 4) {
        if (at_ < tensor_.shape[0]) return element(tensor_, at_++);
      } else if (!taken_) {
        taken_ = true;
        return tensor_;
      }
      if (!source_->next_batch()) return std::nullopt;
      load();
    }
  }

 private:
  void load() {
    const std::string dataset = operand_.dataset.empty()
                                    ? attn::io::default_dataset(*source_, {"pixels", "frames", "y", "x"})
                                    : operand_.dataset;
    tensor_ = source_->read(dataset, operand_.slab);
    taken_ = false;
    at_ = 0;
  }

  attn::io::Operand operand_;
  std::unique_ptr<attn::Source> own_;
  attn::Source* source_;
  attn::TensorView tensor_;
  bool taken_ = false;
  std::size_t at_ = 0;
};

TensorView stacked(const std::vector<TensorView>& parts, const std::string& name) {
  attn::Shape shape = parts.front().shape;
  shape.insert(shape.begin(), parts.size());
  attn::Tensor all(parts.front().dtype, shape);
  auto* to = static_cast<char*>(all.data());
  for (const TensorView& part : parts) {
    const TensorView packed = contiguous(part);
    to = std::copy_n(static_cast<const char*>(packed.data), packed.bytes(), to);
  }
  return all.view(name);
}

Pictures::Pictures(const std::vector<std::string>& words, const attn::OpenedModel& opened, cli::Session& session)
    : opened_(opened), session_(session), lines_(words, session.inputs), steps_(steps_of(opened)) {
  if (const std::size_t channels = opened.description.source->pictures->channels; channels != 3)
    throw Error(ErrorKind::usage, opened.folder.path(),
                "takes pictures of " + std::to_string(channels) + " channels; files have 3", "give --pixels");
}

TensorView Pictures::prepared(const TensorView& frame) const {
  const attn::PictureDescription& wanted = *opened_.description.source->pictures;
  const TensorView pixels = preprocess(frame, steps_, session_.execution()).view(frame.name);
  if (pixels.shape[1] != wanted.height || pixels.shape[2] != wanted.width)
    throw Error(ErrorKind::data, frame.name,
                "becomes " + std::to_string(pixels.shape[1]) + " x " + std::to_string(pixels.shape[2]) +
                    " pixels, the model takes " + std::to_string(wanted.height) + " x " + std::to_string(wanted.width),
                "do config.json and preprocessor_config.json belong together?");
  return pixels;
}

Pictures::Item Pictures::video(const std::string& word) {
  const std::size_t wanted = opened_.description.source->pictures->frames;
  std::vector<TensorView> taken;
  std::error_code ignored;
  if (fs::is_directory(word, ignored)) {
    const std::vector<std::string> files = files_of(word);
    for (const std::size_t i : evenly_spaced(files.size(), wanted, word))
      taken.push_back(prepared(Frames(files[i], session_.inputs).next().value()));
  } else {
    std::vector<TensorView> all;
    Frames frames(word, session_.inputs);
    while (const auto frame = frames.next()) all.push_back(prepared(*frame));
    for (const std::size_t i : evenly_spaced(all.size(), wanted, word)) taken.push_back(all[i]);
  }
  return {stacked(taken, word), std::nullopt};
}

std::vector<Pictures::Item> Pictures::next(std::size_t most) {
  std::vector<Item> items;
  while (items.size() < most) {
    try {
      if (frames_) {
        if (const auto frame = frames_->next())
          items.push_back({prepared(*frame), std::nullopt});
        else
          frames_.reset();
        continue;
      }
      if (words_.empty()) {
        words_ = lines_.next(most);
        if (words_.empty()) break;
        std::reverse(words_.begin(), words_.end());
      }
      const std::string word = words_.back();
      words_.pop_back();
      if (word == "-" && std::exchange(pipe_is_read_, true))
        throw Error(ErrorKind::usage, "-", "is given twice: a pipe can be read once");
      if (opened_.description.source->pictures->frames > 0)
        items.push_back(video(word));
      else
        frames_ = std::make_shared<Frames>(word, session_.inputs);
    } catch (const Error& error) {
      frames_.reset();
      items.push_back({std::nullopt, error});
    }
  }
  return items;
}

std::string text_of_line(const std::string& line, const Options& options) {
  return options.json_lines ? attn::text::text_from_json(line) : line;
}

std::vector<std::vector<std::int64_t>> tokens_of_lines(const std::vector<std::string>& lines,
                                                       const std::function<std::string(const std::string&)>& text_of,
                                                       const attn::ModelDescription& model,
                                                       const attn::text::Tokenizer& tokenizer,
                                                       std::optional<std::size_t> max_length, LineNotes* notes,
                                                       const std::optional<attn::text::ChatTemplate>& chat) {
  std::vector<std::vector<std::int64_t>> rows;
  for (const std::string& line : lines) {
    try {
      attn::text::Encoding tokens = attn::tokens_of(text_of(line), model, tokenizer, max_length, 0, chat);
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

attn::text::Tokenizer tokenizer_of(const attn::OpenedModel& opened, cli::Session& session) {
  attn::text::Tokenizer tokenizer = opened.tokenizer();
  for (const std::string& note : tokenizer.notes()) session.report.note(note);
  return tokenizer;
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
  const attn::text::Tokenizer tokenizer = tokenizer_of(opened, session);
  const std::vector<std::string> lines = texts_of(options, session).all();
  LineNotes notes;
  std::optional<attn::text::ChatTemplate> chat;
  if (options.chat) chat = chat_template_of(opened.folder);
  const auto rows = tokens_of_lines(
      lines, [&](const std::string& line) { return text_as_read(text_of_line(line, options), vectors); },
      opened.description, tokenizer, max_length_of(options, opened), &notes, chat);
  notes.say(options, opened, session.report);
  return attn::padded_batch(rows, padding.value_or(0));
}

}  // namespace transformer_run
