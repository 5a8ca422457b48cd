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
  // The special tokens around an empty text have a vector.
  CHECK(model.vectors({""}).shape() == std::array<std::size_t, 2>{1, 128});
}

TEST_CASE("logits of each kind of model are those of transformers") {
  const auto of = [](const std::string& name) { return load(ATTN_MODELS "/" + name, {{}, DType::f64}); };
  const auto cases = [](const std::string& name, const std::string& tensor) {
    return ATTN_MODELS "/" + name + "/cases.h5:/" + tensor;
  };
  const auto ids = [&](const std::string& name) { return read<std::int64_t, 2>(cases(name, "one/in/input_ids")); };
  const auto are_close = [](const auto& a, const auto& b) { return xt::amax(xt::abs(a - b))() < 1e-12; };

  const auto gpt2 = of("gpt2").logits<double>(ids("gpt2"));
  CHECK(are_close(gpt2, read<double, 3>(cases("gpt2", "one/out/logits"))));
  const auto target = read<std::int64_t, 2>(cases("t5", "one/in/decoder_input_ids"));
  const auto t5 = of("t5").logits<double>(ids("t5"), target);
  CHECK(are_close(t5, read<double, 3>(cases("t5", "one/out/logits"))));
  const auto bert = of("bert-classify").logits<double, 2>(ids("bert-classify"));
  CHECK(are_close(bert, read<double, 2>(cases("bert-classify", "one/out/logits"))));
  const auto sources = read<std::int64_t, 2>(cases("bart-classify", "batch/in/input_ids"));
  const LoadedModel bart = of("bart-classify");
  CHECK(are_close(bart.logits<double, 2>(sources), read<double, 2>(cases("bart-classify", "batch/out/logits"))));
  CHECK_THROWS_AS(bart.encode({"no tokenizer"}), Error);
  const auto pixels = read<double, 4>(cases("vit-classify", "batch/in/pixel_values"));
  const auto vit = of("vit-classify").logits<double, 2>(pixels);
  CHECK(are_close(vit, read<double, 2>(cases("vit-classify", "batch/out/logits"))));
}

TEST_CASE("a tensor of a file, by the grammar of operands") {
  const auto table = read<float, 2>(dates + "/model.safetensors:/embedding.weight");
  CHECK(table.shape() == std::array<std::size_t, 2>{51, 128});
  CHECK(read<double, 1>("3=1,2,3") == xt::xtensor<double, 1>{1, 2, 3});
  CHECK_THROWS_AS((read<float, 2>("no-such-file.h5")), Error);
}

}  // namespace
}  // namespace attn
