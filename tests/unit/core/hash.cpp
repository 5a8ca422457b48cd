#include <attn/core/hash.hpp>

#include <doctest/doctest.h>

#include <attn/core/shape.hpp>

#include <algorithm>
#include <numeric>

using namespace attn;

TEST_CASE("a hash is XXH3 of 128 bits, wherever the bytes are cut") {
  // Python's xxhash: xxh3_128(b"") and xxh3_128(bytes(i % 256 for i in range(1000))).
  CHECK(Hash().value().hex() == "99aa06d3014798d86001c324468d497f");
  std::vector<unsigned char> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), 0);
  for (const std::size_t cut : {1, 7, 64, 240, 257, 1000}) {
    Hash hash;
    for (std::size_t at = 0; at < bytes.size(); at += cut) hash.add(&bytes[at], std::min(cut, bytes.size() - at));
    CHECK(hash.value().hex() == "076f7e02b7120d2ad33dd80b46f60e50");
  }
}

TEST_CASE("a hash of a tensor is that of its elements in row-major order") {
  Tensor x(DType::f32, {6, 4});
  std::iota(x.data_as<float>(), x.data_as<float>() + 24, 1.0F);
  Hash whole, rows, others;
  whole.add(x.view());
  for (std::int64_t row = 0; row < 6; ++row) rows.add(slice(x.view(), Slab{AxisSlab{row, row + 1}}));
  others.add(slice(x.view(), Slab{AxisSlab{}, AxisSlab{{}, {}, -1}}));
  CHECK(whole.value() == rows.value());
  CHECK(whole.value() != others.value());
  CHECK(digests_of(tensor_of({whole.value(), others.value()})).back() == others.value());
}
