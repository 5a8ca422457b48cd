#include "cli/options/names.hpp"

#include "cli/results/source_attributes.hpp"

#include <attn/io/column_names.hpp>

#include <filesystem>

namespace cli {

Names names_of(const Input& input, const attn::TensorView& tensor, Inputs& inputs) {
  const attn::io::Operand& operand = inputs.parse(input.text.empty() ? "-" : input.text);
  if (operand.literal) return {};
  const attn::Source& source = inputs.source(operand);
  const std::string dataset =
      operand.dataset.empty() ? attn::io::default_dataset(source, input.defaults) : operand.dataset;
  const attn::Slab slab = input.slab.empty() ? operand.slab : attn::parse_slab(input.slab, input.slab);
  const attn::Attributes attributes = attributes_of(source, dataset, slab, [](const std::string&) {});
  Names names;
  if (!operand.is_standard_stream()) names.file = std::filesystem::path(operand.source).stem();
  names.columns = attn::io::column_names(attributes, tensor.rank() < 2 ? 1 : tensor.shape.back());
  const bool is_one_column = names.columns.size() == 1 && tensor.rank() < 3;
  names.tensor = is_one_column             ? names.columns.front()
                 : operand.dataset.empty() ? names.file
                                           : operand.dataset.substr(operand.dataset.rfind('/') + 1);
  return names;
}

}  // namespace cli
