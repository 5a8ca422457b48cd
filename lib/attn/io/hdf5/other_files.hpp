#pragma once
// Other files that an HDF5 file may lead to: only files in the folder that the user has named.

#include <attn/core/source_sink.hpp>
#include <attn/io/byte_input.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace attn::io::hdf5 {

class OtherFiles {
 public:
  /// `file`: the file that leads to others, whose names are relative to its folder. `depth`: number of files that led
  /// to `file`.
  OtherFiles(std::string folder, const std::string& file, int depth);

  /// The HDF5 file of that name; null if it does not exist. Throws Error(data) that names `subject` if it is outside
  /// the folder, is not a regular file, or is reached through too many others.
  Source* open(const std::string& name, const std::string& subject);
  /// The bytes of a file, with the same errors.
  std::optional<Bytes> bytes(const std::string& name, const std::string& subject);

  /// Virtual datasets of the file that are being read, each a source of the one before.
  int nested = 0;

 private:
  std::string path_of(const std::string& name, const std::string& subject) const;

  std::string folder_, own_folder_;
  int depth_;
  std::map<std::string, std::unique_ptr<Source>> opened_;  // by path
};

}  // namespace attn::io::hdf5
