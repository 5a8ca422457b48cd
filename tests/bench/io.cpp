// Tensors through files, pipes and text, each beside the bare system calls or the bare conversion of the same bytes.
//
//     bench-io [--threads N] [--processor-time] [FILTER]        needs 3 GiB in the temporary directory

#include "measure.hpp"

#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include <hdf5.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace {

using namespace attn;

constexpr std::size_t gib = std::size_t{1} << 30;

struct Workplace {
  std::string directory = (std::filesystem::temp_directory_path() / "attn-bench-XXXXXX").string();
  Workplace() {
    if (mkdtemp(directory.data()) == nullptr) std::abort();
  }
  ~Workplace() { std::filesystem::remove_all(directory); }
  std::string path(const char* name) const { return directory + "/" + name; }
};

volatile float sink_of_sums;

/// Reads every element, so that bytes which are only mapped count too.
void add_up(const void* data, std::size_t bytes) {
  const float* x = static_cast<const float*>(data);
  float sums[16] = {};
  for (std::size_t i = 0; i + 16 <= bytes / sizeof(float); i += 16)
    for (int lane = 0; lane < 16; ++lane) sums[lane] += x[i + lane];
  for (const float sum : sums) sink_of_sums = sink_of_sums + sum;
}

void write_hdf5(const std::string& path, const TensorView& x) {
  io::OutputOptions options;
  options.overwrite = true;
  const auto sink = io::create_sink(path, options);
  sink->add("x", x);
  sink->commit();
}

/// Time of ours over time of the limit: 1 is as fast.
void compare(const char* name, double amount, const std::function<void()>& ours, const std::function<void()>& limit,
             const char* limit_name) {
  const auto c = bench::beside(ours, limit, 1, 5);
  std::printf("%-44s %7.2f GB/s   %s %7.2f GB/s   time / limit %.2f +-%2.0f %%\n", name, amount / c.work.median / 1e9,
              limit_name, amount / c.reference.median / 1e9, c.ratio, 100 * c.spread);
  std::fflush(stdout);
}

void file_in(const Workplace& place, const TensorView& x) {
  write_hdf5(place.path("x.h5"), x);
  Tensor buffer(DType::f32, {gib / sizeof(float)});
  const auto raw = [&] {
    const int fd = open(place.path("x.h5").c_str(), O_RDONLY);
    std::size_t done = 0;
    for (ssize_t got; (got = read(fd, static_cast<char*>(buffer.data()) + done, gib - done)) > 0;)
      done += static_cast<std::size_t>(got);
    close(fd);
    add_up(buffer.data(), done);
  };
  const auto ours = [&] { add_up(io::open_source(place.path("x.h5"))->read("x").data, gib); };
  compare("HDF5 file in, 1 GiB f32, summed", gib, ours, raw, "read(2)");
}

void file_out(const Workplace& place, const TensorView& x) {
  const auto raw = [&] {
    const int fd = open(place.path("raw").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    std::size_t done = 0;
    for (ssize_t put; done < gib && (put = write(fd, static_cast<const char*>(x.data) + done, gib - done)) > 0;)
      done += static_cast<std::size_t>(put);
    fsync(fd);
    close(fd);
  };
  const auto ours = [&] { write_hdf5(place.path("y.h5"), x); };
  compare("HDF5 file out, 1 GiB f32, synchronised", gib, ours, raw, "write(2)");
}

void pipe_through(const Workplace& place, const TensorView& x) {
  write_hdf5(place.path("x.h5"), x);
  const std::string command = "cat '" + place.path("x.h5") + "' | cat >/dev/null";
  const auto raw = [&] {
    if (std::system(command.c_str()) != 0) std::abort();
  };
  // From a process that has the tensor in a file, or in memory, to one that reads it.
  const auto from = [&](const char* where) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const pid_t writer = fork();
    if (writer == 0) {
      close(ends[0]);
      const bool has_file = std::string(where) == "file";
      write_hdf5("/dev/fd/" + std::to_string(ends[1]), has_file ? io::open_source(place.path("x.h5"))->read("x") : x);
      _exit(0);
    }
    close(ends[1]);
    const TensorView got = io::open_source("/dev/fd/" + std::to_string(ends[0]))->read("x");
    if (got.size() != x.size()) std::abort();
    close(ends[0]);
    waitpid(writer, nullptr, 0);
  };
  compare(
      "HDF5 file through a pipe, 1 GiB f32", gib, [&] { from("file"); }, raw, "cat | cat");
  compare(
      "tensor in memory through a pipe, 1 GiB f32", gib, [&] { from("memory"); }, raw, "cat | cat");
}

/// Resident bytes of mapped files, from /proc/self/status.
std::size_t resident_file_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("RssFile:", 0) == 0) return std::stoull(line.substr(8)) * 1024;
  return 0;
}

/// Bytes that read(2) and its like have given this process, from /proc/self/io.
std::size_t read_bytes() {
  std::ifstream status("/proc/self/io");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("rchar:", 0) == 0) return std::stoull(line.substr(6));
  return 0;
}

/// A contiguous dataset of zeros that the file system need not store.
void write_sparse_hdf5(const std::string& path, hsize_t rows, hsize_t columns) {
  const hsize_t extents[] = {rows, columns};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(2, extents, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  const hid_t dataset = H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (dataset < 0) std::abort();
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
}

/// Bytes that the storage has given this process, from /proc/self/io.
std::size_t stored_bytes_read() {
  std::ifstream status("/proc/self/io");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("read_bytes:", 0) == 0) return std::stoull(line.substr(11));
  return 0;
}

/// Parts of a file that is not in the page cache, with gaps between what is asked for.
void cold_slabs(const Workplace& place, const TensorView& x) {
  write_hdf5(place.path("cold.h5"), reshaped(x, {8192, gib / sizeof(float) / 8192}));
  for (const char* slab : {":,0:328", "::100", "::100,0:8192"}) {
    const int fd = open(place.path("cold.h5").c_str(), O_RDONLY);
    if (fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0) std::abort();
    close(fd);
    const std::size_t before = stored_bytes_read();
    const auto start = std::chrono::steady_clock::now();
    const TensorView part = io::open_source(place.path("cold.h5"))->read("x", parse_slab(slab, "x"));
    add_up(part.data, part.bytes());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const auto read = static_cast<double>(stored_bytes_read() - before);
    std::printf("%-44s %7.2f MiB of 1 GiB from storage, slab %7.2f MiB   %.2f %% of the file   %.0f ms\n",
                (std::string("cold slab [") + slab + "]").c_str(), read / 1048576,
                static_cast<double>(part.bytes()) / 1048576, 100 * read / static_cast<double>(gib),
                1000 * took.count());
  }
}

void hyperslab(const Workplace& place) {
  constexpr std::size_t rows = 10000, columns = 10 * gib / sizeof(float) / rows;
  write_sparse_hdf5(place.path("sparse.h5"), rows, columns);
  const std::size_t mapped = resident_file_bytes(), read = read_bytes();
  const TensorView part = io::open_source(place.path("sparse.h5"))->read("x", parse_slab("5000:5100", "x"));
  add_up(part.data, part.bytes());
  const double touched = static_cast<double>(resident_file_bytes() - mapped + read_bytes() - read);
  std::printf("%-44s %7.2f MiB of 10 GiB mapped in or read, slab %7.2f MiB   ratio %.2f\n",
              "slab of 1 % of a 10 GiB HDF5 file", touched / 1048576, static_cast<double>(part.bytes()) / 1048576,
              touched / static_cast<double>(part.bytes()));
}

void text(const Workplace& place, const bench::Arguments& arguments) {
  constexpr std::size_t rows = 400'000, columns = 10;
  Tensor x(DType::f64, {rows, columns});
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x.data_as<double>()[i] = static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5;
  }
  const TensorView view = x.view();
  io::OutputOptions output;
  output.format = io::Format::csv;
  output.overwrite = true;
  const auto save = [&](const std::string& path) {
    const auto sink = io::create_sink(path, output);
    sink->add("x", view);
    sink->commit();
  };
  save(place.path("x.csv"));
  std::ifstream file(place.path("x.csv"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto amount = static_cast<double>(bytes.size());

  std::vector<double> values(rows * columns);
  const std::size_t begin = bytes.find('\n') + 1;
  const auto bare_in = [&] {
    const char* at = bytes.data() + begin;
    for (double& value : values) at = std::from_chars(at, bytes.data() + bytes.size(), value).ptr + 1;
  };
  const auto in = [&] { io::open_source(place.path("x.csv"))->read("table"); };
  compare("CSV in, f64, one thread", amount, in, bare_in, "from_chars");
  std::vector<char> room(bytes.size() + 64);
  const auto bare_out = [&] {
    char* at = room.data();
    for (const double value : values) {
      at = std::to_chars(at, at + 32, value).ptr;
      *at++ = ',';
    }
  };
  const auto out = [&] { save("/dev/null"); };
  compare("CSV out, f64, one thread", amount, out, bare_out, "to_chars");
  if (arguments.pool == nullptr || arguments.pool->threads() == 1) return;
  io::InputOptions input;
  input.pool = output.pool = arguments.pool.get();
  compare(
      "CSV in, all threads", amount, [&] { io::open_source(place.path("x.csv"), input)->read("table"); }, bare_in,
      "from_chars");
  compare(
      "CSV out, all threads", amount, [&] { save("/dev/null"); }, bare_out, "to_chars");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments arguments = bench::parse(argc, argv);
  const Workplace place;
  if (arguments.selects("text")) text(place, arguments);
  if (arguments.selects("slab")) hyperslab(place);
  if (!arguments.selects("file") && !arguments.selects("pipe") && !arguments.selects("cold"))
    return arguments.status();
  Tensor x(DType::f32, {gib / sizeof(float)});
  std::memset(x.data(), 1, gib);
  if (arguments.selects("cold")) cold_slabs(place, x.view());
  if (arguments.selects("file")) file_in(place, x.view());
  if (arguments.selects("pipe")) pipe_through(place, x.view());
  if (arguments.selects("file")) file_out(place, x.view());
  return arguments.status();
}
