#include <attn/attention/search.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace attn;

namespace {

TensorView words(const std::vector<std::string>& values) {
  Tensor x(DType::string, {values.size()});
  std::copy(values.begin(), values.end(), x.data_as<std::string>());
  return x.view("names.csv:/last");
}

}  // namespace

TEST_CASE("text is found exactly, the first of equals, or by the smallest edit distance") {
  const TensorView keys = words({"Smith", "Sato", "Smith", "Kim"});
  const auto exact = find_exact(words({"Smith", "Smyth", "Kim"}), keys);
  CHECK(exact[0] == 0u);
  CHECK_FALSE(exact[1].has_value());
  CHECK(exact[2] == 3u);
  const auto nearest = find_nearest_text(words({"Smyth", "Satou"}), keys);
  CHECK(nearest[0] == 0u);
  CHECK(nearest[1] == 1u);
  CHECK_FALSE(find_nearest_text(words({"x"}), words({})).front().has_value());
  const TensorView found = take_rows(words({"a", "b", "c", "d"}), keys, exact);
  CHECK(found.contiguous_data<std::string>()[1].empty());
  CHECK(found.contiguous_data<std::string>()[2] == "d");
}

TEST_CASE("vectors are found exactly or by the score") {
  Tensor keys(DType::f64, {3, 2}), queries(DType::f64, {2, 2});
  std::copy_n(std::array<double, 6>{1, 0, 0, 1, 3, 3}.data(), 6, keys.data_as<double>());
  std::copy_n(std::array<double, 4>{0, 1, 2, 3}.data(), 4, queries.data_as<double>());
  const auto exact = find_exact(queries.view(), keys.view());
  CHECK(exact[0] == 1u);
  CHECK_FALSE(exact[1].has_value());
  AttendParameters by_distance;
  by_distance.score = Score::gaussian;
  AttendInputs in{queries.view(), keys.view(), words({"a", "b", "c"})};
  const auto nearest = find_best(in, by_distance, {});
  CHECK(nearest[0] == 1u);
  CHECK(nearest[1] == 2u);
}

TEST_CASE("text against numbers is refused by name") {
  Tensor numbers = Tensor::zeros(DType::f64, {2, 1});
  CHECK_THROWS_WITH_AS(find_exact(words({"a"}), numbers.view("k.csv")),
                       "k.csv: holds numbers, expected text to look up", Error);
}
