#pragma once
// Reading: from an operand to a tensor, whatever the format, each file and standard input opened once.

#include <attn/core/execution.hpp>
#include <attn/core/stream.hpp>
#include <attn/io/operand.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ATTN_API attn {
namespace io {

/// How tables of text are read.
struct TableOptions {
  enum class Header { automatic, yes, no };
  enum class Missing { error, nan, omit };
  Header header = Header::automatic;
  char delimiter = 0;  ///< 0: comma, tab for names that end in .tsv
  Missing missing = Missing::error;
  std::optional<char> comment = {};   ///< begins lines that are no rows; 0: no line; none: # with a blank, or in front
  std::optional<DType> numbers = {};  ///< what numbers are read as, unless a comment says it; none: as they are written
};

/// Told one line for the user.
using NoteHook = std::function<void(const std::string&)>;

struct InputOptions {
  TableOptions table;
  ThreadPool* pool = nullptr;  ///< parses text; none: the calling thread alone
  ProgressHook progress;       ///< told of the bytes of a stream and of the blocks of a table that are read
  bool raw = false;            ///< numbers as they are stored, whatever attributes say of them
  NoteHook note = {};          ///< told of what was guessed, and of what a user should know of a dataset that is read
};

/// Opens a file, or standard input for "-", by its content: HDF5 (file or pipe image), NPY, safetensors, a
/// PNG or JPEG picture, else text.
/// Throws Error(input) when it is missing, empty or truncated.
std::unique_ptr<Source> open_source(const std::string& path, const InputOptions& options = {});

/// The dataset meant by a source and a list of default names: the only one, leaving out dimension scales and other
/// coordinates; else the first of `defaults` that exists and is none, unless the source is a table of text;
/// else Error(input) that lists all datasets with shapes and dtypes.
std::string default_dataset(const Source& source, const std::vector<std::string>& defaults);

/// All inputs of one run. Opens each source once, standard input too, however many operands name it.
class Inputs {
 public:
  explicit Inputs(InputOptions options = {});
  ~Inputs();

  /// The tensor that the operand names. Without a dataset: as default_dataset() says. With the dtype of what it will be
  /// compared with, as Source::read_beside() reads it.
  TensorView read(const Operand& operand, const std::vector<std::string>& defaults, std::optional<DType> beside = {});

  /// The dataset that read() would take, for reading it in blocks. The operand's slab is not applied.
  struct Located {
    Source* source;
    TensorInfo info;
  };
  Located locate(const Operand& operand, const std::vector<std::string>& defaults);

  /// The source behind an operand, opened when needed; not for literals.
  Source& source(const Operand& operand);

  /// The same of what results are compared with: unless it is an input too, it makes no batches, and does not move on
  /// with the others.
  Source& reference(const Operand& operand);
  bool is_reference(const Source& source) const;
  TensorView read_reference(const Operand& operand, const std::vector<std::string>& defaults, DType beside);

  /// Has a source another batch?
  bool has_next_batch();

  /// Moves every source that is a stream on to its next batch; false when none has one.
  /// Throws Error(data) when one stream ends before another.
  bool next_batch();

  /// Sources in the order of first use: for --keep and provenance.
  std::vector<Source*> opened() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace io
}  // namespace attn
