#pragma once
// The results of lines that a run has finished, in a file that the next run takes up: --resume.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace transformer_run {

/// The files of a folder, with sizes and a hash of their contents: the model that made a result.
std::string identity_of_folder(const std::string& folder);

/// .NAME.partial beside the output NAME. Lines are added in blocks, each with its length and hash; a block that is torn
/// is dropped, and so is a file of another model or of other options.
class FinishedLines {
 public:
  using Entry = std::pair<std::string, std::string>;  ///< line and result

  /// identity: model and options. Throws Error(create) if the file cannot be made or another run writes it, Error(io).
  FinishedLines(const std::string& output, const std::string& identity);
  ~FinishedLines();
  FinishedLines(const FinishedLines&) = delete;
  FinishedLines& operator=(const FinishedLines&) = delete;

  std::optional<std::string> find(const std::string& line) const;
  /// Is the line that find() found one of an earlier run?
  bool is_earlier(const std::string& line) const { return places_.at(line).at < earlier_end_; }
  /// Adds a block and waits until it is on the disk.
  void add(const std::vector<Entry>& entries);
  /// Deletes the file: the output is there.
  void remove();

 private:
  struct Place {
    std::uint64_t at;
    std::size_t bytes;
  };
  bool take_block();
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  int fd_;
  std::uint64_t end_ = 0;          ///< of the last whole block
  std::uint64_t earlier_end_ = 0;  ///< the same when this run began
  std::unordered_map<std::string, Place> places_;
};

}  // namespace transformer_run
