#include <attn/core/shape.hpp>

#include <doctest/doctest.h>

using namespace attn;

namespace {

TensorView grid() {
  Tensor x(DType::i64, {4, 5});
  for (std::int64_t i = 0; i < 20; ++i) x.data_as<std::int64_t>()[i] = i;
  return x.view("x");
}

std::vector<std::int64_t> cut(const char* slab) { return to_integers(slice(grid(), parse_slab(slab, "x"))); }

}  // namespace

TEST_CASE("slabs are half-open, count negatives from the end and drop indexed axes") {
  CHECK(cut("1:2") == std::vector<std::int64_t>{5, 6, 7, 8, 9});
  CHECK(cut("-1,::2") == std::vector<std::int64_t>{15, 17, 19});
  CHECK(cut(":,-1") == std::vector<std::int64_t>{4, 9, 14, 19});
  CHECK(cut("::3,1:3") == std::vector<std::int64_t>{1, 2, 16, 17});
  CHECK(cut("2:2").empty());
  CHECK(cut("3:100,4") == std::vector<std::int64_t>{19});
  CHECK(cut("::-2,3:1:-1") == std::vector<std::int64_t>{18, 17, 8, 7});
  CHECK(cut("-2::-3,0") == std::vector<std::int64_t>{10});
  CHECK(cut("99:-99:-3,-1") == std::vector<std::int64_t>{19, 4});
  CHECK(cut("1:2:-1").empty());
  CHECK(cut("2,::-9223372036854775808") == std::vector<std::int64_t>{14});
  CHECK(slice(grid(), parse_slab("3,4", "x")).shape.empty());
  CHECK(slice(grid(), parse_slab("3:4", "x")).shape == Shape{1, 5});
}

TEST_CASE("malformed and impossible slabs say what was expected") {
  CHECK_THROWS_WITH_AS(parse_slab("1:b", "x"),
                       "x: 'b' in slab [1:b] is not a whole number; write it as [start:stop:step,...], for example "
                       "[0:128,:,::2]",
                       Error);
  CHECK_THROWS_WITH_AS(parse_slab("0:18446744073709551616", "x"),
                       "x: '18446744073709551616' in slab [0:18446744073709551616] does not fit into 64 bits; omit "
                       "it to select all to the end, as in [5:]",
                       Error);
  CHECK_THROWS_AS(parse_slab("", "x"), Error);
  CHECK_THROWS_AS(parse_slab("1:2:0", "x"), Error);
  CHECK_THROWS_WITH_AS(cut("4"), "x: index 4 is outside axis 0 of shape (4, 5); give one from -4 to 3", Error);
  CHECK_THROWS_WITH_AS(cut("0,0,0"), "x: slab has 3 axes, the tensor has shape (4, 5); give at most one for each axis",
                       Error);
}

TEST_CASE("resolve tells whether a slab is the whole tensor") {
  CHECK(resolve(parse_slab(":,0:5", "x"), {4, 5}, "x").is_whole);
  CHECK_FALSE(resolve(parse_slab(":,0:4", "x"), {4, 5}, "x").is_whole);
  CHECK_FALSE(resolve(parse_slab("0", "x"), {1}, "x").is_whole);
  CHECK_FALSE(resolve(parse_slab(":,::-1", "x"), {4, 5}, "x").is_whole);
}

TEST_CASE("rows and columns come in any order and number") {
  CHECK(to_integers(rows_of(grid(), {3, 0, 3})) ==
        std::vector<std::int64_t>{15, 16, 17, 18, 19, 0, 1, 2, 3, 4, 15, 16, 17, 18, 19});
  CHECK(to_integers(columns_of(grid(), {4, 1})) == std::vector<std::int64_t>{4, 1, 9, 6, 14, 11, 19, 16});
  CHECK(to_integers(columns_of(transposed(grid(), {1, 0}), {3, 0})) ==
        std::vector<std::int64_t>{15, 0, 16, 1, 17, 2, 18, 3, 19, 4});
  const TensorView cube = reshaped(grid(), {2, 2, 5});
  CHECK(columns_of(cube, {0, 2}).shape == Shape{2, 2, 2});
  CHECK(to_integers(columns_of(cube, {0, 2})) == std::vector<std::int64_t>{0, 2, 5, 7, 10, 12, 15, 17});
}
