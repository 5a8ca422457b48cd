#include "tconv/contents.hpp"

#include "cli/result.hpp"
#include "tconv/item_attributes.hpp"
#include "tconv/one_tensor.hpp"
#include "tconv/selection.hpp"

#include <attn/io/input.hpp>

#include <memory>
#include <utility>

namespace tconv {
namespace {

using attn::TensorView;

/// What an operand names that is not among the tensors of its file. Throws Error(input) if there is nothing.
OneTensor::Content content_of(const attn::io::Operand& operand, cli::Session& session) {
  if (operand.literal) {
    const TensorView literal = *operand.literal;
    return {operand.text, {"y", literal.dtype, literal.shape}, [literal] { return literal; }, {}, {}, false};
  }
  attn::Source& source = session.inputs.source(operand);
  attn::TensorInfo info =
      source.describe(operand.dataset.empty() ? attn::io::default_dataset(source, {}) : operand.dataset);
  attn::Attributes attributes = cli::attributes_of(source, info.name, operand.slab, session.report.notes());
  info.shape = attn::resolve(operand.slab, info.shape, source.label() + ":/" + info.name).shape;
  const auto read = [&source, name = info.name, part = operand.slab] { return source.read(name, part); };
  info.name = name_of_part(source, info.name, attributes);
  return {source.label(), std::move(info), read, std::move(attributes), source.attributes(""), source.is_table()};
}

}  // namespace

Contents contents_of(const Options& o, const std::string& text, cli::Session& session) {
  const attn::io::Operand& operand = session.inputs.parse(text);
  const auto selects = [&o](const std::string& name) { return is_selected(o, name); };
  Contents contents;
  if (!operand.literal && operand.slab.empty()) {
    attn::Source& source = session.inputs.source(operand);
    const std::string place = source.group_of(operand.dataset);
    contents.source = &source;
    contents.groups = cli::selected_groups(source, place, selects);
    contents.tensors = members(source.tensors(), place);
    contents.unreadable = members(source.unreadable(), place);
  }
  if (contents.tensors.empty() && contents.unreadable.empty() && contents.groups.empty() &&
      (contents.source == nullptr || !operand.dataset.empty())) {
    contents.part = std::make_unique<OneTensor>(content_of(operand, session));
    contents.source = contents.part.get();
    contents.tensors = contents.source->tensors();
  }
  contents.tensors = selected(o, std::move(contents.tensors));
  // The stored values, with the attributes that describe their meaning.
  for (attn::TensorInfo& info : contents.tensors) info = contents.source->stored().describe(info.name);
  contents.source->will_read(contents.tensors);
  contents.unreadable = selected(o, std::move(contents.unreadable));
  return contents;
}

}  // namespace tconv
