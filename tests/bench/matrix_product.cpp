// Packed matrix products against the multiply-add peak, against OpenBLAS, and for one row (decoding) against the
// bandwidth of memory.
//
//     bench-matrix-product [--threads N] [--isa NAME] [FILTER]

#include "measure.hpp"

#include <attn/matrix/packed_matrix.hpp>

#include <cstdio>
#include <vector>

extern "C" {
void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc);
void cblas_dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc);
void openblas_set_num_threads(int threads);
char* openblas_get_corename();
}

namespace {

using namespace attn;

Tensor noise(DType dtype, Shape shape) {
  Tensor x(DType::f64, std::move(shape));
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x.data_as<double>()[i] = static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5;
  }
  Tensor y(dtype, x.shape());
  const TensorView converted = cast(x.view(), dtype);
  const auto* bytes = static_cast<const unsigned char*>(converted.data);
  for (std::size_t i = 0; i < converted.bytes(); ++i) static_cast<unsigned char*>(y.data())[i] = bytes[i];
  return y;
}

template <class T>
void product(const bench::Arguments& arguments, DType stored, std::size_t rows, std::size_t inputs, std::size_t outputs,
             const bench::Limit& peak) {
  const Execution& execution = arguments.execution;
  const std::string name = std::string(name_of(dtype_of_v<T>)) + " x " + std::string(name_of(stored)) + " " +
                           std::to_string(rows) + " x " + std::to_string(inputs) + " x " + std::to_string(outputs);
  if (!arguments.selects(name)) return;
  Tensor x = noise(dtype_of_v<T>, {rows, inputs}), weight = noise(stored, {outputs, inputs});
  Tensor y(dtype_of_v<T>, {rows, outputs}), z(dtype_of_v<T>, {rows, outputs});
  const PackedMatrix packed(weight.view(), dtype_of_v<T>, execution);
  const double operations = 2.0 * static_cast<double>(rows * inputs * outputs);
  const auto own = [&] {
    packed.multiply<T>(static_cast<const Tensor&>(x).view().template as<T, 2>(), y.as<T, 2>(), {}, execution);
  };
  bench::report("own      " + name, operations, own, peak, "GFLOP/s");
  if (stored != dtype_of_v<T> || execution.threads() > 1) return;
  const int m = static_cast<int>(rows), n = static_cast<int>(outputs), k = static_cast<int>(inputs);
  const auto blas = [&] {
    if constexpr (sizeof(T) == 4)
      cblas_sgemm(101, 111, 112, m, n, k, 1, x.data_as<float>(), k, weight.data_as<float>(), k, 0, z.data_as<float>(),
                  n);
    else
      cblas_dgemm(101, 111, 112, m, n, k, 1, x.data_as<double>(), k, weight.data_as<double>(), k, 0,
                  z.data_as<double>(), n);
  };
  bench::report("OpenBLAS " + name, operations, blas, peak, "GFLOP/s");
}

void row(const bench::Arguments& arguments, DType stored, std::size_t inputs, std::size_t outputs) {
  const Execution& execution = arguments.execution;
  const std::string name =
      "one row x " + std::string(name_of(stored)) + " " + std::to_string(inputs) + " x " + std::to_string(outputs);
  if (!arguments.selects(name)) return;
  Tensor x = noise(DType::f32, {1, inputs}), weight = noise(stored, {outputs, inputs}), y(DType::f32, {1, outputs});
  const PackedMatrix packed(weight.view(), DType::f32, execution);
  const std::size_t bytes = weight.view().bytes();
  const auto own = [&] {
    packed.multiply<float>(static_cast<const Tensor&>(x).view().as<float, 2>(), y.as<float, 2>(), {}, execution);
  };
  bench::report("own      " + name, static_cast<double>(bytes), own, bench::read_limit(bytes, execution), "GB/s   ");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments = bench::parse(argc, argv);
  openblas_set_num_threads(1);
  std::printf("OpenBLAS core %s\n", openblas_get_corename());
  const bench::Limit peak_f32 = bench::fma_limit(arguments.execution.isa, DType::f32, arguments.execution);
  const bench::Limit peak_f64 = bench::fma_limit(arguments.execution.isa, DType::f64, arguments.execution);
  std::printf("multiply-add peak f32 %.1f, f64 %.1f GFLOP/s\n", peak_f32.rate() / 1e9, peak_f64.rate() / 1e9);
  const std::size_t shapes[][3] = {{512, 512, 512},  {512, 512, 2048},  {512, 2048, 512},  {2048, 512, 2048},
                                   {2048, 768, 768}, {2048, 768, 3072}, {2048, 3072, 768}, {128, 768, 768},
                                   {32, 768, 3072},  {16, 768, 3072},   {8, 512, 512}};
  for (const auto& s : shapes) product<float>(arguments, DType::f32, s[0], s[1], s[2], peak_f32);
  for (const auto& s : shapes) product<double>(arguments, DType::f64, s[0], s[1], s[2], peak_f64);
  for (const DType stored : {DType::bf16, DType::f16}) product<float>(arguments, stored, 512, 512, 2048, peak_f32);
  for (const DType stored : {DType::f32, DType::bf16, DType::f16}) row(arguments, stored, 4096, 16384);
  return arguments.status();
}
