#include "transformer-train/examples.hpp"

#include <attn/core/error.hpp>

namespace transformer_train {

namespace {

std::pair<std::uintmax_t, std::filesystem::file_time_type> stamp_of(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {};  // a pipe is kept as text, and its time changes
  return {std::filesystem::file_size(path, none), std::filesystem::last_write_time(path, none)};
}

}  // namespace

Examples::Examples(std::string path) : path_(std::move(path)), stamp_(stamp_of(path_)) {}

void Examples::expect_unchanged() const {
  if (stamp_of(path_) != stamp_)
    throw attn::Error(attn::ErrorKind::input, path_, "was changed during training",
                      "restore it and go on with --resume from the last epoch");
}

}  // namespace transformer_train
