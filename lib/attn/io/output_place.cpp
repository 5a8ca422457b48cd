#include <attn/io/output_place.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>

namespace attn::io {
namespace {

namespace fs = std::filesystem;

/// N where the path is an entry of this process' /proc/self/fd.
std::optional<int> descriptor_at(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1;
  const char* const end = path.data() + path.size();
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(path.data() + name, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  std::error_code none;  // then there is no path
  const fs::path folder = fs::canonical(path.substr(0, name), none);
  if (folder.empty() || folder != fs::canonical("/proc/self/fd", none)) return std::nullopt;
  return static_cast<int>(number);
}

}  // namespace

OutputPlace place_of_output(const std::string& path) {
  if (path == "-") return {STDOUT_FILENO, {}};
  constexpr int most_links = 40;  // limit of the kernel, which reports more when the file is opened
  fs::path file = path;
  for (int links = 0; links < most_links; ++links) {
    if (const auto descriptor = descriptor_at(file.native())) return {descriptor, {}};
    std::error_code is_no_link;
    const fs::path next = fs::read_symlink(file, is_no_link);
    if (is_no_link) break;
    file = file.parent_path() / next;  // which is `next` where that begins at the root
  }
  return {std::nullopt, file};
}

std::string file_of_descriptor(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::error_code none;  // then there is no name
  return fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none).filename();
}

bool is_one_output(const std::string& path, const std::string& other) {
  const OutputPlace a = place_of_output(path), b = place_of_output(other);
  if (a.descriptor || b.descriptor) return a.descriptor == b.descriptor;
  std::error_code none;  // then opening it reports the error
  return fs::weakly_canonical(fs::absolute(a.file, none), none) ==
         fs::weakly_canonical(fs::absolute(b.file, none), none);
}

}  // namespace attn::io
