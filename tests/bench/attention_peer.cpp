// One attention on raw tensors, run once for each line of standard input; prints the seconds of each run. For
// tests/bench/peers/attention.py, which runs other libraries beside it.
//
//     bench-attention-peer FOLDER DTYPE B H L S D CAUSAL THREADS [ISA]
//
// FOLDER holds q.raw, k.raw and v.raw, f64 for f64 and f32 otherwise; y.raw is written after the first run, alike.

#include <attn/attention/attend.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

namespace {

using namespace attn;

TensorView read(const std::string& path, DType kind, DType dtype, Shape shape) {
  Tensor x(kind, std::move(shape));
  std::ifstream file(path, std::ios::binary);
  file.read(static_cast<char*>(x.data()), static_cast<std::streamsize>(x.view().bytes()));
  if (!file) throw Error(ErrorKind::input, path, "is missing or too short");
  return cast(x.view(), dtype);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 10) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  const DType dtype = dtype_from_name(argv[2]), kind = dtype == DType::f64 ? DType::f64 : DType::f32;
  const auto number = [&](int at) { return static_cast<std::size_t>(std::strtoull(argv[at], nullptr, 10)); };
  const std::size_t B = number(3), H = number(4), L = number(5), S = number(6), d = number(7);
  const AttendInputs inputs{read(folder + "q.raw", kind, dtype, {B, H, L, d}),
                            read(folder + "k.raw", kind, dtype, {B, H, S, d}),
                            read(folder + "v.raw", kind, dtype, {B, H, S, d})};
  AttendParameters parameters;
  parameters.causal = number(8) != 0;
  ThreadPool pool(number(9));
  Execution execution;
  execution.pool = &pool;
  if (argc > 10) execution.isa = isa_from_name(argv[10]);

  bool written = false;
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = std::chrono::steady_clock::now();
    const AttendResult result = attend(inputs, parameters, {}, execution);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!written) {
      const TensorView y = cast(result.output, kind);
      std::ofstream(folder + "y.raw", std::ios::binary)
          .write(static_cast<const char*>(y.data), static_cast<std::streamsize>(y.bytes()));
      written = true;
    }
    std::cout << seconds.count() << std::endl;
  }
} catch (const std::exception& error) {
  std::cerr << "bench-attention-peer: " << error.what() << "\n";
  return 1;
}
