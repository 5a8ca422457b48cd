#include "tconv/copies.hpp"

#include <attn/core/memory_account.hpp>
#include <attn/core/text_memory.hpp>

#include <algorithm>
#include <limits>

namespace tconv {

using attn::TensorView;

void Copies::count_views(std::size_t count, const std::string& subject) {
  // Measured: name, shape, attributes and place of each on its way through here and into a file. Few are not counted,
  // as everywhere.
  constexpr std::size_t each = 1500, few = (std::size_t{64} << 10) / each;
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2 / each;
  if (count <= few) return;
  const std::size_t bytes = std::min(count, most) * each;
  attn::memory_account().require(bytes, subject);
  bytes_ += bytes;
  if (are_made_) views_ = attn::memory_account().hold(bytes, std::make_shared<char>());
}

TensorView Copies::converted(const TensorView& x, attn::DType dtype) {
  if (x.dtype == dtype && x.is_contiguous()) return x;
  const bool are_numbers = x.dtype != attn::DType::string && dtype != attn::DType::string;
  if (are_made_ || (x.dtype != dtype && !are_numbers)) return attn::cast(x, dtype);  // which refuses words
  if (dtype == attn::DType::string) return filled_with_texts(memory_of_texts(x), x.shape, x.name, 0, {});
  return filled(dtype, x.shape, x.name, 0, {});
}

TensorView Copies::filled(attn::DType dtype, const attn::Shape& shape, const std::string& name, std::size_t beside,
                          const std::function<void(attn::Tensor& out)>& fill) {
  const std::size_t own = attn::element_count(shape) * attn::element_size(dtype);
  bytes_ += own + beside;
  if (!are_made_) return {nullptr, dtype, shape, attn::row_major_strides(shape), nullptr, name};
  attn::Tensor out(dtype, shape);
  fill(out);
  return out.view(name);
}

TensorView Copies::filled_with_texts(std::uint64_t texts, const attn::Shape& shape, const std::string& name,
                                     std::size_t beside, const std::function<void(attn::Tensor& out)>& fill) {
  bytes_ += texts;
  attn::TextMemory counted(name);
  if (are_made_) counted.add(texts);
  TensorView x = filled(attn::DType::string, shape, name, beside, fill);
  if (are_made_) return std::move(counted).held_by(std::move(x));
  x.owner = std::make_shared<char>();
  planned_texts_[x.owner.get()] = texts;
  return x;
}

std::uint64_t Copies::memory_of_texts(const TensorView& x) const {
  const auto planned = planned_texts_.find(x.owner.get());
  return planned == planned_texts_.end() ? attn::memory_of_texts(x) : planned->second;
}

}  // namespace tconv
