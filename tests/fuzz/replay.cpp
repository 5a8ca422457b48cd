// Runs a fuzz target without a fuzzer: the files of its corpus, and what damage makes of them. Small files are cut off
// at every byte and have every bit flipped; larger ones get that at random places, from a fixed seed. An input that
// takes ten seconds, or crashes, ends the program, which then says which it was.
//
//     fuzz-hdf5 CORPUS_DIRECTORY [RANDOM_INPUTS_PER_FILE]

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t exhaustive_bytes = 3072;
std::size_t inputs = 0;
char current[4096];

extern "C" void report(int signal) {
  const char* what = signal == SIGALRM ? "takes too long: " : "crashes: ";
  const auto say = [](const char* text) {
    std::size_t length = 0;
    while (text[length] != 0) ++length;
    if (write(STDERR_FILENO, text, length) < 0) _exit(2);
  };
  say(what);
  say(current);
  say("\n");
  _exit(1);
}

void run(const std::string& bytes, const std::string& name) {
  std::snprintf(current, sizeof current, "%s", name.c_str());
  alarm(10);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  ++inputs;
}

std::uint64_t random_number() {
  static std::uint64_t state = 0x9e3779b97f4a7c15u;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

std::string flipped(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
  return bytes;
}

/// A few bytes set, copied, removed or repeated.
std::string mutated(std::string bytes) {
  for (std::uint64_t edits = 1 + random_number() % 4; edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = random_number() % bytes.size(), other = random_number() % bytes.size();
    const std::size_t count = std::min<std::size_t>(1 + random_number() % 8, bytes.size() - std::max(at, other));
    switch (random_number() % 5) {
      case 0: bytes[at] = static_cast<char>(random_number()); break;
      case 1: bytes[at] = static_cast<char>(0xff); break;
      case 2: bytes.replace(at, count, bytes.substr(other, count)); break;
      case 3: bytes.erase(at, count); break;
      default: bytes.insert(at, bytes.substr(other, count)); break;
    }
  }
  return bytes;
}

void damage(const std::string& bytes, const std::string& name, std::size_t random_inputs) {
  run(bytes, name);
  const bool exhaustive = bytes.size() <= exhaustive_bytes;
  const std::size_t cuts = exhaustive ? bytes.size() : random_inputs / 10;
  for (std::size_t i = 0; i < cuts; ++i) {
    const std::size_t length = exhaustive ? i : random_number() % bytes.size();
    run(bytes.substr(0, length), name + " cut off at byte " + std::to_string(length));
  }
  const std::size_t flips = exhaustive ? bytes.size() * 8 : random_inputs;
  for (std::size_t i = 0; i < flips; ++i) {
    const std::size_t bit = exhaustive ? i : random_number() % (bytes.size() * 8);
    run(flipped(bytes, bit), name + " with bit " + std::to_string(bit) + " flipped");
  }
  for (std::size_t i = 0; i < random_inputs; ++i) run(mutated(bytes), name + " mutated, number " + std::to_string(i));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: %s CORPUS_DIRECTORY [RANDOM_INPUTS_PER_FILE]\n", argv[0]), 2;
  const std::size_t random_inputs = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000;
  for (const int number : {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) signal(number, report);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    damage({std::istreambuf_iterator<char>(stream), {}}, file.filename().string(), random_inputs);
  }
  run("", "no bytes");
  std::printf("%zu inputs\n", inputs);
  return files.empty() ? 2 : 0;
}
