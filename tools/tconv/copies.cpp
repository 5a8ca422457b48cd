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
  return filled(dtype, x.shape, x.name, 0, {}, memory_of_texts(x));
}

TensorView Copies::filled(attn::DType dtype, const attn::Shape& shape, const std::string& name, std::size_t beside,
                          const std::function<void(attn::Tensor& out)>& fill, std::uint64_t texts) {
  const std::size_t own = attn::element_count(shape) * attn::element_size(dtype);
  const bool has_texts = dtype == attn::DType::string;
  bytes_ += own + beside + texts;
  if (!are_made_) {
    TensorView x{nullptr, dtype, shape, attn::row_major_strides(shape), nullptr, name};
    if (!has_texts) return x;
    x.owner = std::make_shared<char>();
    planned_texts_[x.owner.get()] = texts;
    return x;
  }
  attn::TextMemory counted(name);
  counted.add(texts);
  attn::Tensor out(dtype, shape);
  fill(out);
  return has_texts ? std::move(counted).held_by(out.view(name)) : out.view(name);
}

std::uint64_t Copies::memory_of_texts(const TensorView& x) const {
  const auto planned = planned_texts_.find(x.owner.get());
  return planned == planned_texts_.end() ? attn::memory_of_texts(x) : planned->second;
}

}  // namespace tconv
