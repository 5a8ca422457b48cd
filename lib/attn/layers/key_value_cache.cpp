#include <attn/layers/key_value_cache.hpp>

#include <algorithm>
#include <cstring>

namespace attn {
namespace {

/// The first `batch` sequences of a tensor (B, H, capacity, width), and their first `length` positions.
TensorView prefix(const Tensor& x, std::size_t batch, std::size_t length) {
  TensorView view = x.view();
  if (view.rank() != 4) return view;
  view.shape[0] = batch;
  view.shape[2] = length;
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

std::string label(const TensorView& x, const char* what) { return x.name.empty() ? what : x.name; }

void expect_fits(const TensorView& heads, const Tensor& cache, std::size_t batch, const char* what) {
  Shape wanted = cache.shape();
  wanted[0] = batch;
  wanted[2] = heads.rank() == 4 ? heads.shape[2] : 0;
  if (heads.shape != wanted || heads.dtype != cache.dtype())
    throw shape_error(label(heads, what), heads.shape,
                      to_string(wanted) + " of " + std::string(name_of(cache.dtype())) + ", as the cache holds");
}

/// A tensor of another capacity with the same sequences and first positions.
Tensor with_capacity(const Tensor& x, std::size_t batch, std::size_t length, std::size_t capacity) {
  Tensor larger(x.dtype(), {batch, x.shape()[1], capacity, x.shape()[3]});
  write_positions(prefix(x, batch, length), larger, 0);
  return larger;
}

/// Copies the first `length` positions of from's sequence sources[b] to to's sequence b, if they are not the same.
void copy_sequences(const Tensor& from, const std::vector<std::size_t>& sources, std::size_t length, Tensor& to) {
  const std::size_t heads = from.shape()[1], row = from.shape()[3] * element_size(from.dtype());
  const std::size_t head = from.shape()[2] * row;  // bytes that it has
  const auto* source = static_cast<const char*>(from.view().data);
  auto* target = static_cast<char*>(to.data());
  for (std::size_t b = 0; b < sources.size(); ++b)
    for (std::size_t h = 0; h < heads && (sources[b] != b || source != target); ++h)
      std::memcpy(target + (b * heads + h) * head, source + (sources[b] * heads + h) * head, length * row);
}

}  // namespace

void KeyValueCache::append(const KeyValue& heads) {
  if (heads.key.rank() != 4) throw shape_error(label(heads.key, "key"), heads.key.shape, "(B, H, L, d)");
  if (heads.value.rank() != 4 || heads.value.shape[2] != heads.key.shape[2])
    throw shape_error(label(heads.value, "value"), heads.value.shape,
                      "(B, H, " + std::to_string(heads.key.shape[2]) + ", d_v)");
  const std::size_t needed = length_ + heads.key.shape[2];
  if (key_.shape().empty()) {
    capacity_ = std::max(capacity_, needed);
    const auto make = [&](const TensorView& x) {
      return Tensor(x.dtype, {x.shape[0], x.shape[1], capacity_, x.shape[3]});
    };
    key_ = make(heads.key);
    value_ = make(heads.value);
    batch_ = heads.key.shape[0];
  }
  expect_fits(heads.key, key_, batch_, "key");
  expect_fits(heads.value, value_, batch_, "value");
  if (needed > capacity_) {
    capacity_ = std::max(needed, 2 * capacity_);
    key_ = with_capacity(key_, batch_, length_, capacity_);
    value_ = with_capacity(value_, batch_, length_, capacity_);
  }
  write_positions(heads.key, key_, length_);
  write_positions(heads.value, value_, length_);
  length_ = needed;
}

KeyValue KeyValueCache::view() const { return {prefix(key_, batch_, length_), prefix(value_, batch_, length_)}; }

void KeyValueCache::truncate(std::size_t length) { length_ = std::min(length_, length); }

void KeyValueCache::reorder(const std::vector<std::size_t>& sources) {
  if (key_.shape().empty()) return;
  const bool stays = sources.size() <= key_.shape()[0];
  for (const std::size_t source : sources)
    if (source >= batch_ || (stays && source < sources.size() && sources[source] != source))
      throw Error(ErrorKind::defect, "key-value cache",
                  "sequence " + std::to_string(source) + " of " + std::to_string(batch_) + " cannot be read");
  for (Tensor* x : {&key_, &value_}) {
    if (stays) {
      copy_sequences(*x, sources, length_, *x);
      continue;
    }
    Tensor larger(x->dtype(), {sources.size(), x->shape()[1], x->shape()[2], x->shape()[3]});
    copy_sequences(*x, sources, length_, larger);
    *x = std::move(larger);
  }
  batch_ = sources.size();
}

}  // namespace attn
