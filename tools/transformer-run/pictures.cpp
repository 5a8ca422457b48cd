#include "transformer-run/pictures.hpp"

#include "transformer-run/frames.hpp"

#include <attn/image/preprocess.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace transformer_run {

namespace fs = std::filesystem;
using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

namespace {

attn::ImagePreprocessing steps_of(const attn::OpenedModel& opened) {
  for (const char* name : {"preprocessor_config.json", "video_preprocessor_config.json"})
    if (const auto text = opened.folder.read(name))
      return attn::read_preprocessing(attn::JsonNode(*text, opened.folder.file(name)));
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

}  // namespace

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

}  // namespace transformer_run
