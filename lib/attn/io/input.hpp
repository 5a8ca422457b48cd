#pragma once
// Reading: from an operand to a tensor, whatever the format, each file and standard input opened once.

#include <attn/core/stream.hpp>
#include <attn/io/operand.hpp>

#include <memory>
#include <string>
#include <vector>

namespace attn::io {

/// How tables of text are read.
struct TableOptions {
  enum class Header { automatic, yes, no };
  enum class Missing { error, nan, omit };
  Header header = Header::automatic;
  char delimiter = 0;  ///< 0: comma, tab for names that end in .tsv
  Missing missing = Missing::error;
};

struct InputOptions {
  TableOptions table;
  std::size_t threads = 1;
  std::size_t max_memory = 0;  ///< bytes that reading may hold at once; 0: no limit
};

/// Opens a file, or standard input for "-", by its content: HDF5 (file or pipe image), NPY, safetensors, else text.
/// Throws Error(input) when it is missing, empty or truncated.
std::unique_ptr<Source> open_source(const std::string& path, const InputOptions& options = {});

/// All inputs of one run. Opens each source once, standard input too, however many operands name it.
class Inputs {
 public:
  explicit Inputs(InputOptions options = {});
  ~Inputs();

  /// The tensor that the operand names. Without a dataset: the only one; else the first of `defaults` that exists; else
  /// Error(input) that lists all datasets with shapes and dtypes.
  TensorView read(const Operand& operand, const std::vector<std::string>& defaults);

  /// The dataset that read() would take, for reading it in blocks: source and name inside it.
  struct Located {
    Source* source;
    std::string name;
  };
  Located locate(const Operand& operand, const std::vector<std::string>& defaults);

  /// The source behind an operand, opened when needed; not for literals.
  Source& source(const Operand& operand);

  /// Moves every source that is a stream on to its next batch; false when none has one.
  bool next_batch();

  /// Sources in the order of first use: for --keep and provenance.
  std::vector<Source*> opened() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attn::io
