#include <attn/core/hash.hpp>

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <xxhash.h>

#include <cstdio>
#include <new>

namespace attn {

std::string Digest::hex() const {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return text;
}

TensorView tensor_of(const std::vector<Digest>& digests) {
  Tensor x(DType::u64, {digests.size(), 2});
  auto* to = x.data_as<std::uint64_t>();
  for (const Digest& digest : digests) {
    *to++ = digest.high;
    *to++ = digest.low;
  }
  return x.view();
}

std::vector<Digest> digests_of(const TensorView& x) {
  if (x.dtype != DType::u64 || x.rank() != 2 || x.shape[1] != 2) throw shape_error(x.name, x.shape, "(n, 2) of u64");
  std::vector<Digest> digests;
  const std::vector<std::uint64_t> numbers = elements_of<std::uint64_t>(x);
  for (std::size_t at = 0; at < numbers.size(); at += 2) digests.push_back({numbers[at], numbers[at + 1]});
  return digests;
}

Hash::Hash() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void Hash::Free::operator()(XXH3_state_s* state) const noexcept { XXH3_freeState(state); }

void Hash::add(const void* data, std::size_t bytes) noexcept {
  if (bytes > 0) XXH3_128bits_update(state_.get(), data, bytes);
}

void Hash::add(const TensorView& x) {
  if (x.dtype == DType::string) {
    for (const std::string& text : elements_of<std::string>(x)) add(text);
    return;
  }
  const TensorView all = contiguous(x);
  add(all.data, all.bytes());
}

Digest Hash::value() const noexcept {
  const XXH128_hash_t value = XXH3_128bits_digest(state_.get());
  return {value.high64, value.low64};
}

}  // namespace attn
