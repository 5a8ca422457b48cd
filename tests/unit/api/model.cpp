#include <attn/api/model.hpp>

#include <doctest/doctest.h>
#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

namespace attn {
namespace {

const std::string dates = ATTN_EXAMPLES "/dates";

TEST_CASE("a loaded model: text to ids, ids to logits, text to text") {
  const LoadedModel model = load(dates);
  const auto ids = model.encode({"3 mars 2021", "1/2/2003"});
  CHECK(ids.shape() == std::array<std::size_t, 2>{2, 12});
  CHECK(ids(1, 11) == 0);
  CHECK(model.decode({ids(0, 0), ids(0, 1)}) == "3 ");
  CHECK(model.generate({"3 mars 2021", "July 4, 1976"}) == std::vector<std::string>{"2021-03-03", "1976-07-04"});
  CHECK(model.generate("3 mars 2021") == "2021-03-03");

  // The first character of the answer, by the decoder's first step.
  const xt::xtensor<int, 2> start = {{1}, {1}};
  const auto logits = model.logits(ids, start);
  CHECK(logits.shape() == std::array<std::size_t, 3>{2, 1, 51});
  const auto best = xt::argmax(xt::view(logits, 0, 0))();
  CHECK(model.decode({static_cast<std::int64_t>(best)}) == "2");
  CHECK_THROWS_AS(model.logits(ids), Error);
}

TEST_CASE("parameters of generation start from the folder's") {
  const LoadedModel model = load(dates);
  TextGenerationParameters parameters = model.generation_parameters();
  parameters.generation.max_new_tokens = 4;
  CHECK(model.generate("3 mars 2021", parameters) == "2021");
}

TEST_CASE("vectors are those of a model that is loaded for them") {
  const std::vector<std::string> texts = {"3 mars 2021", "1/2/2003"};
  CHECK_THROWS_WITH_AS(load(dates).vectors(texts),
                       (dates + ": has a head of its own; load it with the task feature-extraction").c_str(), Error);
  const LoadedModel model = load(dates, {"feature-extraction", DType::f64});
  const auto vectors = model.vectors<double>(texts);
  CHECK(vectors.shape() == std::array<std::size_t, 2>{2, 128});
  CHECK(xt::view(model.vectors<double>({texts[1]}), 0) == xt::view(vectors, 1));
  CHECK_THROWS_AS(model.vectors({""}), Error);
}

TEST_CASE("a tensor of a file, by the grammar of operands") {
  const auto table = read<float, 2>(dates + "/model.safetensors:/embedding.weight");
  CHECK(table.shape() == std::array<std::size_t, 2>{51, 128});
  CHECK(read<double, 1>("3=1,2,3") == xt::xtensor<double, 1>{1, 2, 3});
  CHECK_THROWS_AS((read<float, 2>("no-such-file.h5")), Error);
}

}  // namespace
}  // namespace attn
