#include "transformer-train/pictures.hpp"

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>

#include <algorithm>

namespace transformer_train {

using attn::Error;
using attn::ErrorKind;

Pictures::Pictures(const std::string& path, const attn::ModelDescription& model) : Examples(path) {
  const attn::PictureDescription& wanted = *model.source->pictures;
  if (wanted.frames > 0 || model.task != attn::Task::classify ||
      model.head->probability != attn::HeadDescription::Probability::softmax)
    throw Error(ErrorKind::usage, "the model", "is of a task that is not trained: for pictures, that is their class");
  const auto source = attn::io::open_source(path);
  pictures_ = source->read("pictures");
  labels_ = source->read("labels");
  const std::size_t count = pictures_.shape.empty() ? 0 : pictures_.shape[0];
  if (!pictures_.shape.empty() && count == 0) throw Error(ErrorKind::input, pictures_.name, "has no pictures");
  if (const attn::Shape expected{count, wanted.channels, wanted.height, wanted.width}; pictures_.shape != expected)
    throw attn::shape_error(pictures_.name, pictures_.shape,
                            attn::to_string(expected) + " = (pictures, channels, height, width)");
  if (labels_.shape != attn::Shape{count})
    throw attn::shape_error(labels_.name, labels_.shape, "(" + std::to_string(count) + "), one for each picture");
  const std::vector<std::int64_t> labels = to_integers(labels_);
  const auto known = static_cast<std::int64_t>(model.head->outputs);
  const auto wrong = std::find_if(labels.begin(), labels.end(), [&](auto x) { return x < 0 || x >= known; });
  if (wrong != labels.end())
    throw Error(ErrorKind::data, labels_.name,
                "has the label " + std::to_string(*wrong) + ", the model has 0 to " + std::to_string(known - 1));
  lengths_.assign(count, 1);
  for (const attn::TensorView& all : {attn::contiguous(pictures_), attn::contiguous(labels_)}) hash_.add(all);
}

attn::TrainingBatch Pictures::batch(const std::vector<std::size_t>& rows, std::uint64_t, std::uint64_t) const {
  return {{rows_of(pictures_, rows)}, std::nullopt, rows_of(labels_, rows)};
}

}  // namespace transformer_train
