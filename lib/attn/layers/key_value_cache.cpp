#include <attn/layers/key_value_cache.hpp>

#include <algorithm>
#include <cstring>

namespace attn {
namespace {

/// The first `length` positions of a tensor (B, H, capacity, width).
TensorView prefix(const Tensor& x, std::size_t length) {
  TensorView view = x.view();
  if (view.rank() == 4) view.shape[2] = length;
  return view;
}

/// Writes from (B, H, L, width) into to (B, H, capacity, width) from position `first` on.
void write_positions(const TensorView& from, Tensor& to, std::size_t first) {
  const std::size_t batch = from.shape[0], heads = from.shape[1], length = from.shape[2], width = from.shape[3];
  visit_compute_dtype(from.dtype, [&](auto element) {
    using T = decltype(element);
    const auto source = from.as<T, 4>();
    const auto target = to.as<T, 4>();
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t l = 0; l < length; ++l)
          if (source.strides[3] == 1)
            std::copy_n(&source(b, h, l, 0), width, &target(b, h, first + l, 0));
          else
            for (std::size_t i = 0; i < width; ++i) target(b, h, first + l, i) = source(b, h, l, i);
  });
}

void expect_fits(const TensorView& heads, const Tensor& cache, const char* what) {
  Shape wanted = cache.shape();
  wanted[2] = heads.rank() == 4 ? heads.shape[2] : 0;
  if (heads.shape != wanted || heads.dtype != cache.dtype())
    throw shape_error(what, heads.shape,
                      to_string(wanted) + " of " + std::string(name_of(cache.dtype())) + ", as the cache holds");
}

/// A tensor of another capacity with the same first positions.
Tensor with_capacity(const Tensor& x, std::size_t length, std::size_t capacity) {
  Shape shape = x.shape();
  shape[2] = capacity;
  Tensor larger(x.dtype(), shape);
  write_positions(prefix(x, length), larger, 0);
  return larger;
}

}  // namespace

void KeyValueCache::append(const KeyValue& heads) {
  if (heads.key.rank() != 4) throw shape_error("key", heads.key.shape, "(B, H, L, d)");
  if (heads.value.rank() != 4 || heads.value.shape[2] != heads.key.shape[2])
    throw shape_error("value", heads.value.shape, "(B, H, " + std::to_string(heads.key.shape[2]) + ", d_v)");
  const std::size_t needed = length_ + heads.key.shape[2];
  if (key_.shape().empty()) {
    capacity_ = std::max(capacity_, needed);
    const auto make = [&](const TensorView& x) {
      return Tensor(x.dtype, {x.shape[0], x.shape[1], capacity_, x.shape[3]});
    };
    key_ = make(heads.key);
    value_ = make(heads.value);
  }
  expect_fits(heads.key, key_, "key");
  expect_fits(heads.value, value_, "value");
  if (needed > capacity_) {
    capacity_ = std::max(needed, 2 * capacity_);
    key_ = with_capacity(key_, length_, capacity_);
    value_ = with_capacity(value_, length_, capacity_);
  }
  write_positions(heads.key, key_, length_);
  write_positions(heads.value, value_, length_);
  length_ = needed;
}

KeyValue KeyValueCache::view() const { return {prefix(key_, length_), prefix(value_, length_)}; }

void KeyValueCache::truncate(std::size_t length) { length_ = std::min(length_, length); }

void KeyValueCache::reorder(const std::vector<std::size_t>& sources) {
  const auto gathered = [&](const Tensor& x) {
    Shape shape = x.shape();
    shape[0] = sources.size();
    Tensor out(x.dtype(), shape);
    const std::size_t head = shape[2] * shape[3] * element_size(x.dtype());   // bytes that it has
    const std::size_t filled = length_ * shape[3] * element_size(x.dtype());  // and uses
    const auto* from = static_cast<const char*>(x.view().data);
    auto* to = static_cast<char*>(out.data());
    for (std::size_t b = 0; b < sources.size(); ++b)
      for (std::size_t h = 0; h < shape[1]; ++h, to += head)
        std::memcpy(to, from + (sources[b] * shape[1] + h) * head, filled);
    return out;
  };
  if (key_.shape().empty()) return;
  key_ = gathered(key_);
  value_ = gathered(value_);
}

}  // namespace attn
