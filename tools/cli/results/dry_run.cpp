#include "cli/results/dry_run.hpp"

#include "cli/numbers.hpp"
#include "cli/printable.hpp"

#include <attn/core/memory.hpp>

namespace cli {
namespace {

/// "y  (2, 3)  f64  48 bytes".
std::string described(const attn::TensorInfo& info) {
  return printable(info.name) + "  " + attn::to_string(info.shape) + "  " + std::string(attn::name_of(info.dtype)) +
         "  " + std::to_string(attn::element_count(info.shape) * attn::element_size(info.dtype)) + " bytes";
}

}  // namespace

std::string dry_run_text(const std::vector<ReadTensor>& read, const std::vector<attn::TensorInfo>& written,
                         double operations) {
  std::string text;
  for (const ReadTensor& input : read)
    if (input.is_shown) text += "read  " + described(input.info) + '\n';
  for (const attn::TensorInfo& result : written) text += "write  " + described(result) + '\n';
  if (operations > 0) text += "compute  " + to_text(operations) + " FLOP\n";
  return text;
}

std::string end_of_dry_run(std::size_t batches) {
  const std::string count = batches > 1 ? "batches  " + std::to_string(batches) + '\n' : "";
  return count + "memory  about " + std::to_string(attn::memory_account().most_needed()) + " bytes\n";
}

}  // namespace cli
