#include <attn/io/formats/formats.hpp>
#include <attn/io/hdf5/other_files.hpp>

#include <filesystem>

namespace attn::io::hdf5 {

OtherFiles::OtherFiles(std::string folder, const std::string& file, int depth)
    : folder_(std::move(folder)), own_folder_(std::filesystem::path(file).parent_path()), depth_(depth) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder_, error)) throw Error(ErrorKind::input, folder_, "is not a folder");
}

/// With symbolic links resolved. Empty if the file does not exist.
std::string OtherFiles::path_of(const std::string& name, const std::string& subject) const {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::canonical(folder_, error), path = fs::canonical(fs::path(own_folder_) / name, error);
  if (error || name.empty()) return {};
  const fs::path inside = path.lexically_relative(folder);
  if (inside.empty() || *inside.begin() == "..")
    throw Error(ErrorKind::data, subject, "leads to " + name + ", which is outside of " + folder_);
  if (!fs::is_regular_file(path, error))
    throw Error(ErrorKind::data, subject, "leads to " + name + ", which is not a regular file");
  return path;
}

Source* OtherFiles::open(const std::string& name, const std::string& subject) {
  const std::string path = path_of(name, subject);
  if (path.empty()) return nullptr;
  constexpr int deepest = 4;
  if (depth_ >= deepest) throw Error(ErrorKind::data, subject, "leads through too many other files");
  std::unique_ptr<Source>& source = opened_[path];
  if (!source) source = open_hdf5(std::make_unique<ByteInput>(path), folder_, depth_ + 1);
  return source.get();
}

std::optional<Bytes> OtherFiles::bytes(const std::string& name, const std::string& subject) {
  const std::string path = path_of(name, subject);
  if (path.empty()) return {};
  return ByteInput(path).take_rest();
}

}  // namespace attn::io::hdf5
