#include "cli/model_folder.hpp"

#include <attn/core/error.hpp>
#include <attn/io/bytes.hpp>
#include <attn/io/input.hpp>
#include <attn/io/shards.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace cli {

namespace fs = std::filesystem;
using attn::Error;
using attn::ErrorKind;

namespace {

constexpr std::uintmax_t largest_text = std::uintmax_t{256} << 20;

constexpr const char* pickle = "is a Python pickle, which runs code when it is read";
constexpr const char* convert_pickle =
    "in its folder run: python3 -c 'import glob, torch, safetensors.torch as s; w = {}; [w.update(torch.load(f, "
    "map_location=\"cpu\", weights_only=True)) for f in glob.glob(\"pytorch_model*.bin\")]; s.save_file({k: "
    "v.clone().contiguous() for k, v in w.items()}, \"model.safetensors\")'";

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
  throw Error(ErrorKind::input, path_, "no such folder",
              "give the folder that holds config.json; a model of a hub is downloaded first");
}

std::string ModelFolder::file(const std::string& name) const { return path_ + "/" + name; }

std::optional<std::string> ModelFolder::read(const std::string& name) const {
  const std::string path = file(name);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw Error(ErrorKind::input, path, "is a folder, a file is expected");
  if (!is_file(path)) return std::nullopt;
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (!failed && size > largest_text)
    throw Error(ErrorKind::data, path, "has " + std::to_string(size) + " bytes, more than any text of a model");
  std::ifstream stream(path, std::ios::binary);
  std::string content(failed ? 0 : static_cast<std::size_t>(size), '\0');
  if (!stream)
    throw Error(attn::io::kind_of_failed_open(errno), path, std::string("cannot be opened: ") + std::strerror(errno));
  if (!stream.read(content.data(), static_cast<std::streamsize>(content.size())))
    throw Error(ErrorKind::input, path, "cannot be read");
  return content;
}

std::string ModelFolder::require(const std::string& name) const {
  std::optional<std::string> content = read(name);
  if (!content) throw Error(ErrorKind::input, file(name), "no such file", "is " + path_ + " the folder of a model?");
  return std::move(*content);
}

std::unique_ptr<attn::Source> ModelFolder::open_weights() const {
  const std::string index = file("model.safetensors.index.json");
  if (is_file(file("model.safetensors"))) return attn::io::open_source(file("model.safetensors"));
  if (is_file(index)) return attn::io::open_shards(index);
  if (is_file(file("model.h5"))) return attn::io::open_source(file("model.h5"));
  for (const char* name : {"pytorch_model.bin", "pytorch_model.bin.index.json"})
    if (is_file(file(name))) throw Error(ErrorKind::input, file(name), pickle, convert_pickle);
  throw Error(ErrorKind::input, path_, "holds no weights",
              "model.safetensors, model.safetensors.index.json or model.h5 is expected");
}

}  // namespace cli
