#include "cli/model_folder.hpp"

#include <attn/core/error.hpp>
#include <attn/io/input.hpp>

#include <filesystem>
#include <fstream>

namespace cli {

namespace fs = std::filesystem;
using attn::Error;
using attn::ErrorKind;

namespace {

constexpr std::uintmax_t largest_text = std::uintmax_t{256} << 20;

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

ModelFolder::ModelFolder(const std::string& path) : path_(path) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) return;
  if (fs::exists(path_, ignored))
    throw Error(ErrorKind::input, path_, "is not a folder", "give the folder that holds config.json");
  throw Error(ErrorKind::input, path_, "no such folder");
}

std::string ModelFolder::file(const std::string& name) const { return path_ + "/" + name; }

std::optional<std::string> ModelFolder::read(const std::string& name) const {
  const std::string path = file(name);
  if (!is_file(path)) return std::nullopt;
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (!failed && size > largest_text)
    throw Error(ErrorKind::data, path, "has " + std::to_string(size) + " bytes, more than any text of a model");
  std::ifstream stream(path, std::ios::binary);
  std::string content(failed ? 0 : static_cast<std::size_t>(size), '\0');
  if (!stream || !stream.read(content.data(), static_cast<std::streamsize>(content.size())))
    throw Error(ErrorKind::input, path, "cannot be read");
  return content;
}

std::string ModelFolder::require(const std::string& name) const {
  std::optional<std::string> content = read(name);
  if (!content) throw Error(ErrorKind::input, file(name), "no such file", "is " + path_ + " the folder of a model?");
  return std::move(*content);
}

std::unique_ptr<attn::Source> ModelFolder::open_weights() const {
  for (const char* name : {"model.safetensors", "model.h5"})
    if (is_file(file(name))) return attn::io::open_source(file(name));
  if (is_file(file("pytorch_model.bin")))
    throw Error(ErrorKind::input, file("pytorch_model.bin"), "is a Python pickle, which runs code when it is read",
                "save the model as model.safetensors");
  throw Error(ErrorKind::input, path_, "holds no weights", "model.safetensors or model.h5 is expected");
}

}  // namespace cli
