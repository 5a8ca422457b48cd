#pragma once
// Writing: a sink for a file or standard output in the requested format, whole or not at all.

#include <attn/core/execution.hpp>
#include <attn/core/shape.hpp>
#include <attn/core/source_sink.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {
namespace io {

enum class Format { hdf5, csv, tsv, npy, npz, safetensors, jsonl };

/// "h5", "hdf5", "csv", "tsv", "npy", "npz", "safetensors", "jsonl". Throws Error(usage) that lists them.
Format format_from_name(const std::string& name);
/// The format of a suffix, in capitals too; none for other suffixes and for "-". Lines of text are .jsonl too, so that
/// this suffix says nothing here.
std::optional<Format> format_from_path(const std::string& path);
/// The format in which tensors are written there: that of the suffix, .jsonl included, else HDF5.
Format format_for_tensors(const std::string& path);
/// Throws Error(usage) for a name that ends in .gz.
void expect_uncompressed(const std::string& path);

/// The header of a table of text: none; names, with names like numbers marked as in column_names.hpp; plain names, for
/// readers that know that there is a header.
enum class Header { none, marked, plain };

/// Storage of the numbers of HDF5 datasets.
struct Hdf5Storage {
  enum class Compression { none, gzip, zstd, lzf };
  Compression compression = Compression::none;
  int level = 4;            ///< of gzip and zstd
  bool shuffle = false;     ///< before compression, group the first bytes of all elements, then the second ...
  Shape chunks;             ///< for datasets with as many axes; empty: about 1 MB
  bool names_axes = false;  ///< a name in DIMENSION_LIST without a dataset becomes a dimension scale without values

  bool has_chunks() const noexcept { return compression != Compression::none || !chunks.empty(); }
};

struct OutputOptions {
  std::optional<Format> format;  ///< none: by suffix, else HDF5
  bool overwrite = false;        ///< else an existing file is refused
  bool append = false;      ///< add to an HDF5 file, if there is one; with overwrite, datasets of one name are replaced
  bool keeps_rest = false;  ///< with overwrite, the datasets of an HDF5 file that are not written stay
  /// When appending: merges attributes of groups, by path, with those of the file at the time of writing, since other
  /// writers may have added some. `replaced`: the datasets of the file that are replaced.
  std::function<void(const Source& present, const std::vector<std::string>& replaced, GroupAttributes& groups)> join;
  int precision = 0;               ///< significant digits of text; 0: the shortest that reads back as the same number
  char delimiter = 0;              ///< of text; 0: comma, tab for .tsv
  Header header = Header::marked;  ///< of text: a first row with the names of the columns
  Hdf5Storage storage = {};
  ThreadPool* pool = nullptr;  ///< formats text; null: only the calling thread
  ProgressHook progress;       ///< receives the written bytes, for text the rows
};

/// A sink for the file, or standard output for "-". The file appears under its name with commit(): a temporary file in
/// the same directory, fsync, rename. Throws Error(create) if the file exists and overwrite is not set.
/// HDF5, NPY and JSON Lines hold a sequence of batches, the other formats one.
std::unique_ptr<Sink> create_sink(const std::string& path, const OutputOptions& options = {});

/// Bytes of an attribute that is too large for an HDF5 file or a group, which hold less than 64 KB of each; 0 for
/// others. Throws what a sink would.
std::size_t excess_for_hdf5_group(const std::string& name, const TensorView& value, const std::string& label);

/// A note if HDF5 goes into a file that the shell has opened and whose name promises another format, as in
/// `tool > fit.csv`; else empty.
std::string note_on_redirection(const std::string& path, const OutputOptions& options);

/// Removes temporary files that are being written; async-signal-safe, for handlers of signals that end the process.
void remove_unfinished_outputs() noexcept;

}  // namespace io
}  // namespace attn
