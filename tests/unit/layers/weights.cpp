#include <doctest/doctest.h>

#include <attn/core/source_sink.hpp>
#include <attn/layers/weights.hpp>

using namespace attn;

namespace {

TensorMap model() {
  TensorMap map("model.h5");
  map.add("enc/0/self_attn/in_proj_weight", Tensor::zeros(DType::f32, {48, 32}).view());
  map.add("enc/0/norm1.weight", Tensor::zeros(DType::f16, {32}).view());
  map.add("enc/01/norm1.weight", Tensor::zeros(DType::f64, {8}).view());
  return map;
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("weights: names are the same with dots and with slashes") {
  TensorMap map = model();
  const Weights layer = Weights(map, "/enc/0/");
  CHECK(layer.get("norm1.weight").name == "model.h5:/enc/0/norm1.weight");
  CHECK(layer.scoped("self_attn").has("in_proj_weight"));
  CHECK(layer.scoped("self_attn").get("in_proj_weight").shape == Shape{48, 32});
  CHECK(Weights(map).has("enc.0.norm1/weight"));
  CHECK(Weights(map, "enc.0.norm1.weight").get("").shape == Shape{32});
}

TEST_CASE("weights: a prefix ends where a name ends") {
  TensorMap map = model();
  CHECK(Weights(map, "enc/0").names() == std::vector<std::string>{"norm1.weight", "self_attn.in_proj_weight"});
  CHECK(Weights(map, "enc").has_below("01"));
  CHECK_FALSE(Weights(map, "enc").has_below("norm1"));
}

TEST_CASE("weights: the computing type is that of the widest tensor below the prefix") {
  TensorMap map = model();
  CHECK(Weights(map, "enc/0").compute_dtype() == DType::f32);
  CHECK(Weights(map).compute_dtype() == DType::f64);
}

TEST_CASE("weights: errors name file, tensor, expected and actual") {
  TensorMap map = model();
  const Weights layer(map, "enc/0");
  CHECK(message([&] {
          layer.scoped("self_attn")
              .get("in_proj_weight", {96, 32}, "3 x embed_dim by embed_dim", "is this a checkpoint of another kind?");
        }) ==
        "weights model.h5:/enc.0.self_attn: in_proj_weight has shape (48, 32), expected (96, 32) = 3 x embed_dim by "
        "embed_dim; is this a checkpoint of another kind?");
  CHECK(message([&] { layer.get("norm2.weight"); }) ==
        "weights model.h5:/enc.0: has no tensor norm2.weight; it holds norm1.weight, self_attn.in_proj_weight");
  CHECK(message([&] { Weights(map, "dec").get("norm2.weight"); }) ==
        "weights model.h5:/dec: has no tensor norm2.weight; the file has no such group, it holds enc");
  CHECK_FALSE(layer.find("norm2.weight").has_value());
  CHECK(message([&] { layer.find("norm1.weight", {31}); }) ==
        "weights model.h5:/enc.0: norm1.weight has shape (32,), expected (31,)");
}
