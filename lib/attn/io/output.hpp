#pragma once
// Writing: a sink for a file or standard output, in the format asked for, whole or not at all.

#include <attn/core/execution.hpp>
#include <attn/core/stream.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {
namespace io {

enum class Format { hdf5, csv, tsv, npy, safetensors };

/// "h5", "hdf5", "csv", "tsv", "npy", "safetensors". Throws Error(usage) that lists them.
Format format_from_name(const std::string& name);
/// By suffix, in capitals too; none for a suffix that says nothing and for "-".
std::optional<Format> format_from_path(const std::string& path);
/// Throws Error(usage) for a name that ends in .gz.
void expect_uncompressed(const std::string& path);

/// The header of a table of text: none; names as column_names.hpp marks those that read as numbers; names as they are,
/// for readers that know that there is a header.
enum class Header { none, marked, plain };

struct OutputOptions {
  std::optional<Format> format;  ///< none: by suffix, else HDF5
  bool overwrite = false;        ///< an existing file is refused otherwise
  bool append = false;  ///< add to an HDF5 file, if there is one; with overwrite, datasets of one name are replaced
  /// With append: changes attributes of groups, by path, as they go beside those of the file, when it is written:
  /// others may have added to it until then.
  std::function<void(const Source& present, GroupAttributes& groups)> join;
  int precision = 0;               ///< significant digits of text; 0: the shortest that reads back as it was
  char delimiter = 0;              ///< of text; 0: comma, tab for .tsv
  Header header = Header::marked;  ///< of text: a first row with the names of the columns
  ThreadPool* pool = nullptr;      ///< formats text; none: the calling thread alone
  ProgressHook progress;           ///< told of the bytes, of text the rows, that are written
};

/// A sink for the file, or standard output for "-". The file appears under its name with commit(): a temporary file in
/// the same directory, fsync, rename. Throws Error(create) when the file exists and overwrite is not set.
/// HDF5 and NPY hold a sequence of batches, the other formats one.
std::unique_ptr<Sink> create_sink(const std::string& path, const OutputOptions& options = {});

/// Removes temporary files that are being written; async-signal-safe, for handlers of signals that end the process.
void remove_unfinished_outputs() noexcept;

}  // namespace io
}  // namespace attn
