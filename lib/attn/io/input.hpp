#pragma once
// Reading: from an operand to a tensor in any format, with each file and standard input opened once.

#include <attn/core/execution.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/operand.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ATTN_API attn {
namespace io {

/// Options for reading tables of text.
struct TableOptions {
  enum class Header { automatic, yes, no };
  enum class Missing { error, nan, omit };
  Header header = Header::automatic;
  char delimiter = 0;  ///< 0: comma, tab for names that end in .tsv
  Missing missing = Missing::error;
  std::optional<std::string> comment = {};  ///< characters that start comments; not set: # first, or # and a blank
  bool has_quotes = true;                   ///< double quotes enclose cells; else they are characters like any others
  std::optional<DType> numbers = {};        ///< dtype of numbers, unless a comment gives it; none: as written
};

/// Receives one line for the user.
using NoteHook = std::function<void(const std::string&)>;

struct InputOptions {
  TableOptions table;
  ThreadPool* pool = nullptr;        ///< parses text; null: only the calling thread
  ProgressHook progress;             ///< receives the bytes of a stream and the blocks of a table that are read
  bool raw = false;                  ///< numbers as stored, without decoding by attributes
  std::string external_folder = {};  ///< of other files that an HDF5 file may read; empty: none
  NoteHook note = {};                ///< receives guesses, and what a user should know about a dataset that is read
  bool rows_may_come = false;        ///< of text from a stream, only the first rows are awaited: Source::await_rows()
  std::optional<std::size_t> rows = {};  ///< of such text, and of standard input: how many there are
};

/// Opens a file, or standard input for "-", by its content: HDF5 (file or pipe image), NPY, safetensors, Matrix Market,
/// a PNG or JPEG picture, else a table of text.
/// Throws Error(input) if it is missing, empty or truncated.
std::unique_ptr<Source> open_source(const std::string& path, const InputOptions& options = {});

/// The default dataset of a source: the only one, not counting dimension scales and other coordinates; else the first
/// of `defaults` that exists and is not one of these, unless the source is a table of text; else Error(input) that
/// lists all datasets with shapes and dtypes.
std::string default_dataset(const Source& source, const std::vector<std::string>& defaults);

/// Are these the attributes of a dimension scale, which has the coordinates of an axis?
bool is_scale(const Attributes& attributes);

/// The datasets that these attributes of a dataset name by the conventions of netCDF: coordinates, bounds, mappings.
std::vector<std::string> named_coordinates(const std::string& dataset, const Attributes& attributes);

/// Names of the axes of a dataset: the paths of their dimension scales, empty for an axis without. A scale is its own.
std::vector<std::string> axes_of(const std::string& dataset, const Attributes& attributes);

/// What belongs to a part of a dataset: the coordinates of its axes, and what these and the dataset name as such, each
/// with the part of it along the same axes.
std::vector<std::pair<std::string, Slab>> coordinates_of(const Source& source, const std::string& dataset,
                                                         const Slab& part);

/// Replaces the ranges of an operand by its slab, from the coordinates of its axes. Throws Error(input) for an
/// unknown axis and for a range without coordinates, Error(data) for coordinates that are not in order.
void resolve_ranges(Operand& operand, Source& source, const std::vector<std::string>& defaults = {});

/// All inputs of one run. Opens each source once, even if several operands name it, standard input too.
class Inputs {
 public:
  explicit Inputs(InputOptions options = {});
  ~Inputs();

  /// The tensor of an operand. Without a dataset: that of default_dataset(). With the dtype of another tensor to
  /// compare with: read as by Source::read_beside().
  TensorView read(const Operand& operand, const std::vector<std::string>& defaults, std::optional<DType> beside = {});

  /// The dataset that read() would read, for reading it in blocks. The slab of the operand is not applied.
  struct Located {
    Source* source;
    TensorInfo info;
  };
  Located locate(const Operand& operand, const std::vector<std::string>& defaults);

  /// The source of an operand, opened on demand; not for literals. `rows_may_come`: if it is opened now, the rows of
  /// text from a stream are for Source::await_rows().
  Source& source(const Operand& operand, bool rows_may_come = false);

  /// The same for the reference of a comparison: unless it is an input too, it does not count for batches and does not
  /// advance with the others.
  Source& reference(const Operand& operand);
  bool is_reference(const Source& source) const;
  TensorView read_reference(const Operand& operand, const std::vector<std::string>& defaults, DType beside);

  /// Has a source another batch?
  bool has_next_batch();

  /// Advances every stream to its next batch; false if none has one. Throws Error(data) if one stream ends before
  /// another.
  bool next_batch();

  /// Sources in the order of first use: for --keep and provenance.
  std::vector<Source*> opened() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All tensors of a model.safetensors.index.json: its "weight_map" names the file of each, in the same folder. Files
/// are mapped, not copied. Throws Error(input) that names a missing file or one that lacks a tensor, Error(data) for an
/// index that contradicts its files.
std::unique_ptr<Source> open_shards(const std::string& index_path);

/// Loads plugins from these folders, separated by colons, for datasets with filters that are unknown here. The code of
/// a plugin runs in this process and is as trusted as the process itself. Empty, the default: no plugin is loaded.
void set_hdf5_plugins(const std::string& folders);

}  // namespace io
}  // namespace attn
