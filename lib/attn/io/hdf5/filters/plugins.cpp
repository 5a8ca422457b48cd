// Filters that are decoded by plugins of HDF5. A plugin is opened directly, without the library: it is needed only to
// decode, and the library would open all plugins of a folder to find one.

#include <attn/io/hdf5/filters/filters.hpp>
#include <attn/io/hdf5_plugins.hpp>

#include <H5PLextern.h>
#include <dlfcn.h>
#include <hdf5.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

namespace attn::io {
namespace hdf5 {
namespace {

struct Plugins {
  std::string folders;
  std::map<unsigned, H5Z_func_t> functions;  // by filter; null: no plugin decodes it
};

Plugins& plugins() {
  static Plugins all;
  return all;
}

/// The filter's function in a file that is its plugin; else null.
H5Z_func_t function_in(const std::filesystem::path& file, unsigned filter) {
  void* const opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return nullptr;
  const auto kind = reinterpret_cast<decltype(&H5PLget_plugin_type)>(dlsym(opened, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<decltype(&H5PLget_plugin_info)>(dlsym(opened, "H5PLget_plugin_info"));
  if (kind != nullptr && info != nullptr && kind() == H5PL_TYPE_FILTER) {
    const auto* const found = static_cast<const H5Z_class2_t*>(info());
    if (found != nullptr && found->id == static_cast<H5Z_filter_t>(filter)) return found->filter;
  }
  dlclose(opened);
  return nullptr;
}

/// Files of plugins have no fixed names. Those with a word of the filter's name come first: opening all that hdf5plugin
/// has takes up to 90 ms.
std::vector<std::filesystem::path> candidates(const std::string& folders, const std::string& filter) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  std::vector<std::filesystem::path> files;
  std::istringstream names(folders);
  for (std::string folder; std::getline(names, folder, ':');) {
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable))
      if (entry.path().filename().string().find(".so") != std::string::npos) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::string words = lower(filter);
  std::replace_if(
      words.begin(), words.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, ' ');
  std::stable_partition(files.begin(), files.end(), [&](const std::filesystem::path& file) {
    const std::string name = lower(file.filename());
    std::istringstream each(words);
    for (std::string word; each >> word;)
      if (word.size() > 2 && name.find(word) != std::string::npos) return true;
    return false;
  });
  return files;
}

H5Z_func_t function_of(const FilterStep& step) {
  const auto [place, is_new] = plugins().functions.try_emplace(step.id, nullptr);
  if (is_new)
    for (const std::filesystem::path& file : candidates(plugins().folders, step.name))
      if ((place->second = function_in(file, step.id)) != nullptr) break;
  return place->second;
}

/// As HDF5 calls a filter: it may replace the buffer.
std::size_t undo_by_plugin(const FilterStep& step, Cursor stored, unsigned char* to, std::size_t most) {
  std::size_t room = std::max<std::size_t>(stored.left(), 1);
  void* buffer = std::malloc(room);
  if (buffer == nullptr) throw std::bad_alloc();
  std::copy_n(stored.data(), stored.left(), static_cast<unsigned char*>(buffer));
  const std::size_t size =
      function_of(step)(H5Z_FLAG_REVERSE, step.values.size(), step.values.data(), stored.left(), &room, &buffer);
  const std::unique_ptr<void, decltype(&std::free)> owned(buffer, std::free);
  require(size > 0 && size <= room, "a plugin cannot decode a chunk");
  require(size <= most, "a chunk has a wrong size");
  std::copy_n(static_cast<const unsigned char*>(buffer), size, to);
  return size;
}

}  // namespace

Decoder decoder_of_plugin(const FilterStep& step) {
  return plugins().folders.empty() || function_of(step) == nullptr ? nullptr : undo_by_plugin;
}

std::string way_to_decode() {
  const std::string& folders = plugins().folders;
  return folders.empty() ? "name the folder of a plugin for it in HDF5_PLUGIN_PATH; its code will run in this process"
                         : "HDF5_PLUGIN_PATH, " + folders + ", has no plugin for it that can be loaded";
}

}  // namespace hdf5

void set_hdf5_plugins(const std::string& folders) { hdf5::plugins() = {folders, {}}; }

}  // namespace attn::io
