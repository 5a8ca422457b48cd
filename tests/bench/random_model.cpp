// Makes a model of random weights and true sizes: random-model CONFIG.json FOLDER. Every tensor that the configuration
// asks for, f32, uniform and scaled so that activations keep their size; the same bytes on every machine.

#include <attn/core/error.hpp>
#include <attn/io/output.hpp>
#include <attn/transformer/description.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace attn;

Tensor random_tensor(const Shape& shape, std::uint64_t& state) {
  Tensor x(DType::f32, shape);
  auto* values = x.data_as<float>();
  const float scale = shape.size() < 2 ? 0.1f : 2.0f / std::sqrt(static_cast<float>(shape.back()));
  for (std::size_t i = 0, n = x.size(); i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values[i] = (static_cast<float>(state >> 40) / 16777216.0f - 0.5f) * scale;
    if (shape.size() < 2) values[i] += 0.5f;  // gains of norms; as offsets they do no harm
  }
  return x;
}

void make_model(const std::string& config_path, const std::string& folder) {
  std::ifstream file(config_path);
  const std::string config{std::istreambuf_iterator<char>(file), {}};
  const ModelDescription model = describe_model(Settings(config, config_path));
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/config.json") << config;
  io::OutputOptions options;
  options.overwrite = true;
  const auto sink = io::create_sink(folder + "/model.safetensors", options);
  std::uint64_t state = 1;
  for (const TensorInfo& tensor : tensor_table(model))
    sink->add(tensor.name, random_tensor(tensor.shape, state).view());
  sink->commit();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: random-model CONFIG.json FOLDER\n", stderr), 2;
  try {
    make_model(argv[1], argv[2]);
  } catch (const Error& error) {
    return std::fprintf(stderr, "random-model: %s\n", error.what()), 1;
  }
  return 0;
}
