#pragma once
// What a run reads: operands, sources, tensors and lines of text.

#include "cli/record.hpp"
#include "cli/result.hpp"
#include "cli/row_blocks.hpp"

#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cli {

class Command;
class GradientCheck;
class Report;
struct SharedOptions;

/// The stage's input, for --keep-input.
struct MainInput {
  attn::TensorView tensor;
  attn::Attributes attributes = {};
  std::vector<Coordinate> coordinates = {};
  const attn::Source* source = nullptr;  ///< null for a literal
  std::string name = {};                 ///< in the source
  bool is_whole = true;
  bool is_positional = false;                          ///< INPUT; otherwise the first input of a tool without INPUT
  std::optional<attn::TensorProducer> in_blocks = {};  ///< all of it, if the tensor is only a block of rows
};

/// The origins of a result.
struct Origins {
  attn::io::Inputs* inputs = nullptr;   ///< opens what --check names
  std::vector<attn::Source*> sources;   ///< that data was read from, in the order of first use
  std::optional<MainInput> main_input;  ///< the stage's
  RunLog log;                           ///< of what was read
  std::set<std::string> options;        ///< whose operands were read
};

class Inputs {
 public:
  /// Enters what is read in `origins`, for the results. Under --check-grad, `check` moves what is read. All must
  /// outlive it.
  Inputs(const Command& command, const SharedOptions& shared, attn::ThreadPool& pool, Report& report, Origins& origins,
         GradientCheck* check);

  /// What an operand says, looked at once: a literal is made, within --max-memory.
  const attn::io::Operand& parse(const std::string& text);

  /// The operand of an input, with its --slab; by default, the main input is standard input.
  attn::io::Operand operand_of(const Input& input);

  /// With the dtype of what it will be compared with, as Source::read_beside() reads it.
  attn::TensorView read(const Input& input, std::optional<attn::DType> beside = {});
  std::optional<attn::TensorView> read(const OptionalInput& input);
  /// An operand that is no option of its own; `defaults` as for Input.
  attn::TensorView read(const std::string& operand, const std::vector<std::string>& defaults);
  /// An input for each column that an operand names in a table, if some have words and others numbers; else the input.
  std::vector<Input> columns_by_kind(const Input& input);
  /// The tensor of that name, in the source that an operand names.
  attn::TensorView read(const Input& input, const std::string& name);
  /// A tensor of a source that source() gave, or a part of it.
  attn::TensorView read(attn::Source& source, const std::string& name, const attn::Slab& part = {});
  /// The same, read while it is written; none if the source cannot read it in blocks. Of text whose rows still come,
  /// only a table can be written so.
  static std::optional<attn::TensorProducer> in_blocks(attn::Source& source, const attn::TensorInfo& stored,
                                                       const attn::Slab& part, bool do_rows_come = false);
  /// The shape of the tensor that read() takes.
  attn::Shape shape(const Input& input);
  /// Rows [first, last) along an axis of the tensor that read() takes: of a file only they are read.
  attn::TensorView read_rows(const Input& input, std::size_t axis, std::size_t first, std::size_t last);
  /// Rows that read_rows() gave and that are not used any more.
  void release(const Input& input, const attn::TensorView& rows);
  /// The blocks of rows in which a run that may go by rows is done: none if its inputs are small, not stored as
  /// numbers, or of different rows.
  std::optional<RowBlocks> row_blocks(const Output& output);
  /// In a run by blocks of rows: does read() give a block of that input?
  bool is_by_rows(const Input& input);
  /// From now on, read() gives that block of the inputs that go by rows, and lets go of the one before.
  void move_to(std::shared_ptr<const RowBlocks> blocks, const RowBlocks::Block& block);
  /// That block is shorter now; read() gives it again.
  void shorten(const RowBlocks::Block& block);
  /// The first row of that block along an axis; 0 outside of blocks.
  std::size_t first_row(std::size_t axis) const noexcept {
    return block_ && block_->blocks->axis == axis ? block_->at.first : 0;
  }
  /// The rows of all blocks along the first axis; outside of blocks those of x.
  std::size_t all_rows(const attn::TensorView& x) const noexcept {
    return block_ && block_->blocks->axis == 0 ? block_->blocks->rows : x.shape[0];
  }
  /// read() gives inputs as a whole again.
  void end_blocks();
  /// What is said of the tensor that read() takes, whole or in part; nothing of a literal.
  attn::Attributes attributes(const Input& input);
  /// The dataset that read() would take, to be read in blocks; nothing for a literal and for a part of a tensor.
  std::optional<attn::io::Inputs::Located> locate(const Input& input);

  /// The source that an operand names a part of (weights under a prefix): the source and the path inside it.
  struct Group {
    attn::Source* source;
    std::string prefix;
  };
  Group open(const Input& input);
  /// The source that an operand names, as data that --keep and the history know of. `rows_may_come`: as in
  /// attn::io::Inputs::source().
  attn::Source& source(const attn::io::Operand& operand, bool rows_may_come = false);
  /// An operand that is lines of text, for std::getline; standard input for the main input when none was given.
  std::istream& text(const Input& input);

  /// What open() gave was read by others: --dry-run says so, once of each.
  void has_read(const attn::TensorView& tensor);
  /// Was that tensor of a source read, whole or in part?
  bool was_read(const attn::TensorInfo& tensor) const;
  /// For a run whose record is wanted: from now on, what is read is hashed, except for inputs that are split between
  /// the parts of a run.
  void keep_record(const std::vector<std::string>& split = {});
  /// Shows the whole tensor that read() takes, block after block, for a run that reads only some rows of it.
  void look_at(const Input& input, const std::function<void(const attn::TensorView& block)>& look);
  /// A value that the declarations do not have: of an option whose word or default depends on data, or of what else
  /// decides the numbers.
  void settle(const std::string& name, const std::string& value);
  /// The record so far, without the instruction set: shape, type and hash of each input, also of those of which only
  /// some rows were read; of split inputs only the type.
  RunRecord record();

  /// This is the stage's input, which --keep-input writes: for a tool that reads its INPUT by tensors of a source.
  void take_as_input(const MainInput& input);

 private:
  attn::TensorView read_unmoved(const attn::io::Operand& operand, const Input& input, const attn::io::Operand& whole,
                                std::optional<attn::DType> beside, bool is_whole = true);
  attn::TensorView for_all_blocks(const Input& input, const std::string& name,
                                  const std::function<attn::TensorView()>& read);
  attn::io::Operand part_of(attn::io::Operand operand, const Input& input, const RowBlocks& blocks,
                            const RowBlocks::Block& block);
  /// A part of a dataset, of that shape.
  struct RowInput {
    attn::Source* source;
    attn::TensorInfo info;
    attn::Slab part;
    attn::Shape shape;
  };
  std::optional<RowInput> rows_of(const Input& input, bool rows_may_come);
  static void expect_rows(const attn::Source& from, const attn::Shape& shape, const Input& input);
  attn::Shape stored_shape(const attn::io::Operand& operand, const Input& input);
  void log(const Input& input, attn::TensorInfo info, const attn::TensorView* whole, bool is_shown = true);
  std::string recorded(const std::string& role);
  bool is_split(const std::string& role) const;
  attn::Digest digest(const Input& input, const std::function<void(const attn::TensorView& block)>& look = {});
  std::vector<attn::TensorInfo> columns_of(const std::string& table);
  void expect_dataset(const attn::io::Operand& operand, const Input& input);
  void expect_data(const attn::io::Operand& operand) const;

  const Command& command_;
  Report& report_;
  Origins& origins_;
  GradientCheck* check_;  ///< or null
  bool keeps_input_, is_dry_run_;
  attn::io::Inputs inputs_;
  std::map<std::string, attn::io::Operand> operands_;  ///< by their texts
  std::ifstream text_file_;
  /// The block of rows that is read, and what of it was.
  struct CurrentBlock {
    std::shared_ptr<const RowBlocks> blocks;
    RowBlocks::Block at;
    std::vector<std::pair<Input, attn::TensorView>> read = {};

    bool is_first() const noexcept { return at.before == 0 && at.first == 0; }
  };
  std::optional<CurrentBlock> block_;
  /// The options of inputs that go by rows, and how many axes they have; 0: any number.
  std::map<std::string, std::size_t> by_rows_;
  std::map<std::string, attn::TensorView> whole_;  ///< inputs that all blocks need
};

}  // namespace cli
