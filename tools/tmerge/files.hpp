#pragma once
// The files of the parts: any number of them, of which a few are open at a time.

#include "cli/session.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tmerge {

class Files {
 public:
  Files(std::vector<std::string> names, cli::Session& session) : names_(std::move(names)), session_(session) {}

  std::size_t size() const noexcept { return names_.size(); }
  /// The file, valid until the next one is opened.
  attn::Source& open(std::size_t file);

 private:
  std::vector<std::string> names_;
  cli::Session& session_;
  std::map<std::size_t, std::unique_ptr<attn::Source>> open_;
};

}  // namespace tmerge
