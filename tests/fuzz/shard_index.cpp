// A model.safetensors.index.json that anyone may have written, beside a file of the tensors a and b.
#include "consume.hpp"

#include <attn/io/input.hpp>

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string folder = [] {
    char name[] = "/tmp/fuzz-shards-XXXXXX";
    if (mkdtemp(name) == nullptr) std::abort();
    const std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                               R"("b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})";
    std::string bytes{static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0};
    std::ofstream(std::string(name) + "/1.safetensors", std::ios::binary) << bytes + header + "xy";
    static const std::string path = name;
    std::atexit([] { std::system(("rm -r " + path).c_str()); });
    return path;
  }();
  const std::string index = folder + "/index.json";
  std::ofstream(index, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const auto source = attn::io::open_shards(index);
    fuzz::read_all(*source);
  } catch (const attn::Error&) {
  }
  return 0;
}
