#include "cli/result_writer.hpp"

#include "cli/exit_codes.hpp"
#include "cli/gradient_check.hpp"
#include "cli/inputs.hpp"
#include "cli/numbers.hpp"
#include "cli/record.hpp"
#include "cli/results/companions.hpp"
#include "cli/results/head_attributes.hpp"
#include "cli/results/json.hpp"
#include "cli/results/moved_times.hpp"
#include "cli/results/statistics.hpp"
#include "cli/standard_text.hpp"

#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/column_names.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace cli {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// A line for a tensor that is read or written: "read  x.h5:/x  (2, 3)  f64  48 bytes".
std::string dry_run_line(const char* step, const attn::TensorInfo& info, bool json) {
  const std::string dtype(attn::name_of(info.dtype));
  const std::size_t bytes = attn::element_count(info.shape) * attn::element_size(info.dtype);
  if (json)
    return json_line({{"step", step}, {"name", info.name}, {"shape", info.shape}, {"dtype", dtype}, {"bytes", bytes}});
  return std::string(step) + "  " + printable(info.name) + "  " + attn::to_string(info.shape) + "  " + dtype + "  " +
         std::to_string(bytes) + " bytes\n";
}

/// A line for each tensor, and one for the operations if there are any.
std::string dry_run_text(const std::vector<ReadTensor>& read, const std::vector<attn::TensorInfo>& written,
                         double operations, bool json) {
  std::string text;
  for (const ReadTensor& input : read)
    if (input.is_shown) text += dry_run_line("read", input.info, json);
  for (const attn::TensorInfo& result : written) text += dry_run_line("write", result, json);
  if (operations > 0)
    text +=
        json ? json_line({{"step", "compute"}, {"flop", operations}}) : "compute  " + to_text(operations) + " FLOP\n";
  return text;
}

/// How many batches there were, if more than one, and the memory that a run takes.
std::string end_of_dry_run(std::size_t batches, bool json) {
  const std::size_t memory = attn::memory_account().most_needed();
  if (json)
    return (batches > 1 ? json_line({{"step", "batches"}, {"count", batches}}) : "") +
           json_line({{"step", "memory"}, {"bytes", memory}});
  const std::string count = batches > 1 ? "batches  " + std::to_string(batches) + '\n' : "";
  return count + "memory  about " + std::to_string(memory) + " bytes\n";
}

/// A pipe or a device: opening it may block or change it. A path that stat() cannot read gets its error when opened.
bool is_unopened(const std::string& path) {
  struct stat status;
  return path != "-" && stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// The same, or standard output or another open descriptor.
bool is_stream(const std::string& path) { return attn::io::place_of_output(path).descriptor || is_unopened(path); }

/// Throws Error(usage) for an output that names tensors or a compressed file, if the result is lines of text.
void expect_text_file(const Output& output) {
  const attn::io::Operand& operand = output.operand;
  if (!operand.dataset.empty())
    throw Error(ErrorKind::usage, output.text, "names a dataset, and this result is lines of text",
                "give " + operand.source + " alone");
  if (attn::io::format_from_path(operand.source))
    throw Error(ErrorKind::usage, output.text, "has the suffix of a tensor file, and this result is lines of text",
                "take another suffix, such as .txt");
  attn::io::expect_uncompressed(operand.source);
}

void name_main(const Output& output, std::vector<Result>& results) {
  if (!results.empty() && results.front().name.empty()) results.front().name = output.main_name();
}

/// The dtype of the main result under --dtype.
attn::DType result_dtype(const Output& output, attn::DType computed, attn::DType asked) {
  const bool stays =
      output.converts || (output.keeps_integers && attn::is_integer(computed) && attn::is_floating(asked));
  return stays ? computed : asked;
}

}  // namespace

ResultWriter::ResultWriter(const Command& command, const SharedOptions& shared, attn::ThreadPool& pool, Report& report,
                           const Origins& origins, attn::OperationCount& operations, GradientCheck* check)
    : command_(command),
      shared_(shared),
      pool_(pool),
      report_(report),
      origins_(origins),
      operations_(operations),
      gradient_check_(check),
      check_(shared, report) {
  const Output* output = command.output();
  if (output == nullptr) return;
  const ResultKind kind = output->kind();
  if (!output->makes_tensors() && !output->only_text) expect_no_tensor_options(kind);
  if (kind == ResultKind::tensors && output->text != "-") open(*output);
  if (kind != ResultKind::text) return;
  expect_text_file(*output);
  open_text(*output);
}

void ResultWriter::become_text() {
  expect_no_tensor_options(ResultKind::text);
  expect_text_file(*command_.output());
  open_text(*command_.output());
}

/// Throws Error(usage) for an option that asks for tensors, if the result is of another kind.
void ResultWriter::expect_no_tensor_options(ResultKind kind) const {
  const std::string result = kind == ResultKind::picture ? "a picture" : "lines of text";
  const bool is_search = command_.output()->emitted_number("topk") > 0;  // whose lines are what it asks for
  const bool has_json = !command_.output()->json_text.empty() || shared_.dry_run;
  for (const std::string option : {"--check", "--emit", "--keep", "--keep-input", "--output-format", "--json"})
    if (command_.was_given(option) && !(is_search && option == "--emit") && !(has_json && option == "--json"))
      throw Error(
          ErrorKind::usage, option, "is for tensors, and this result is " + result,
          kind == ResultKind::picture ? "give -o FILE for tensors, or leave it out" : "write tensors, or leave it out");
}

bool ResultWriter::wants_json() const noexcept { return command_.output() != nullptr && command_.output()->json; }

void ResultWriter::put(const std::string& text) {
  report_.progress_bar.clear();
  if (text_ == nullptr || shared_.dry_run) return put_text(text);
  text_->write(text.data(), text.size());
}

void ResultWriter::open(const Output& output) {
  if (is_for_the_eye(output)) return open_text(output);
  // -A needs a file, and refuses anything else without opening it.
  if (shared_.dry_run && !output.options.append && is_unopened(output.operand.source)) return;
  attn::io::OutputOptions options = output.options;
  options.pool = &pool_;
  options.progress = report_.progress_bar.hook();
  options.join = [this, &output](const attn::Source& present, const std::vector<std::string>& replaced,
                                 GroupAttributes& groups) { join(output, present, replaced, groups); };
  options.keeps_rest = !output.operand.dataset.empty() && !output.replaces_file;
  const attn::io::Operand& operand = output.operand;
  if (format_of(output) == attn::io::Format::npy && !operand.dataset.empty())
    throw Error(ErrorKind::usage, output.text, "names a dataset, and NPY holds one without a name",
                "leave the name out, or write HDF5");
  if (!output.has_main() && !operand.dataset.empty())
    throw Error(ErrorKind::usage, output.text, "names a dataset, and the results have names of their own",
                "leave the name out");
  sink_ = attn::io::create_sink(operand.source, options);
  if (const std::string name = output.main_name(); !name.empty() && output.has_main()) sink_->expect(name);
  for (const std::string& emit : output.emit) sink_->expect(emit.substr(0, emit.find('=')));
}

/// ResultWriter added to a file extend its history and keep its attributes; -f replaces those of groups. An equal run
/// has no line any more if its results are replaced, unless they were read.
void ResultWriter::join(const Output& output, const attn::Source& present, const std::vector<std::string>& replaced,
                        GroupAttributes& groups) const {
  const auto history = groups[""].find("history");
  const bool has_history = history != groups[""].end();
  const std::string own = has_history ? attn::texts_of(groups[""], "history").front() : "";
  for (auto& [group, attributes] : groups)
    if (present.has_group(group) && (group.empty() || !output.options.overwrite))
      for (const auto& there : present.attributes(group)) attributes.erase(there.first);
  if (!has_history) return;
  bool is_source = false, reads_replaced = false;
  for (const attn::Source* source : origins_.sources) {
    if (!attn::io::is_one_output(source->label(), output.operand.source)) continue;
    is_source = true;
    for (const std::string& name : replaced)
      for (const ReadTensor& read : origins_.log.read)
        reads_replaced = reads_replaced || read.info.name == source->label() + ":/" + name;
  }
  groups[""]["history"] =
      attn::scalar_of(history_beside(present, own, output.options.overwrite && !reads_replaced, is_source));
}

void ResultWriter::open_text(const Output& output) {
  if (output.text == "-" || (shared_.dry_run && is_stream(output.operand.source))) return;
  if (output.options.append && !output.appends_beside())
    throw Error(ErrorKind::usage, "--append", "is for tensors; lines of text make a file of their own");
  text_ = std::make_unique<attn::io::ByteOutput>(output.operand.source, output.options.overwrite);
}

/// A result that is made in blocks of rows.
struct ResultWriter::Blocks {
  std::shared_ptr<RowBlocks> of;
  NextBlock next;
  TensorView latest = {};
  bool has_begun = false;

  /// The first block, and behind it the others when they are written.
  Result joined(Result first, const std::shared_ptr<Blocks>& self) const {
    attn::TensorProducer all{first.tensor.dtype, first.tensor.shape, {}, !of->coming};
    std::copy_n(of->shape.begin(), of->axis + 1, all.shape.begin());
    all.produce = [self](const attn::ByteConsumer& consume) {
      std::size_t bytes = 0;
      do {
        const TensorView rows = attn::contiguous(std::exchange(self->latest, {}));
        bytes = rows.bytes();
        consume(rows.data, bytes);
      } while (self->next(bytes));
    };
    return {first.name, {}, first.attributes, std::move(all)};
  }
};

void ResultWriter::expect_blocks(std::shared_ptr<RowBlocks> blocks, NextBlock next) {
  blocks_ = std::make_shared<Blocks>(Blocks{std::move(blocks), std::move(next)});
}

bool ResultWriter::needs_count(const Output& output, attn::DType computed, std::size_t rank) const {
  const bool is_integer = !attn::is_floating(computed) || (shared_.dtype && !attn::is_floating(*shared_.dtype));
  const bool is_table = writes_rows(output) && format_of(output) != attn::io::Format::jsonl;
  return !is_table || rank != 2 || is_integer || shared_.stats || shared_.check || shared_.fail_on_nonfinite;
}

bool ResultWriter::has_begun_blocks() const noexcept { return blocks_ != nullptr && blocks_->has_begun; }

void ResultWriter::write(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups,
                         const LastStep& last_step) {
  if (blocks_ == nullptr) return write_whole(output, results, groups, last_step);
  blocks_->latest = results.at(0).tensor;
  if (needs_count(output, blocks_->latest.dtype, blocks_->latest.rank())) blocks_->of->await();
  if (!std::exchange(blocks_->has_begun, true))
    write_whole(output, {blocks_->joined(results.front(), blocks_)}, groups, last_step);
}

void ResultWriter::write_whole(const Output& output, const std::vector<Result>& results, const GroupAttributes& groups,
                               const LastStep& last_step) {
  expect_all_read();
  if (shared_.dry_run) say_dry_run(rehearse(output, results));
  if (gradient_check_ != nullptr) return gradient_check_->keep(results);
  report_.progress_bar.clear();
  std::vector<Result> ready = as_written(output, results);
  name_axes(output, ready);
  Companions beside = companions(shared_, ready, output.main_name(), output.operand.source, origins_, report_.notes());
  for (Result& companion : beside.results) ready.push_back(std::move(companion));
  add_coordinates(output, ready);
  if (!is_open()) open(output);
  if (is_for_the_eye(output)) {
    for (const Result& result : ready)
      put(preview(result.producer ? attn::collect(*result.producer) : result.tensor, result.name) + '\n');
    return;
  }
  note_losses(output, ready);
  GroupAttributes attributes = groups;  // of two of one name the first stays
  for (auto& [group, of_group] : beside.groups) attributes[group].merge(of_group);
  attributes[""].erase("history");
  if (shared_.history)
    attributes[""]["history"] = attn::scalar_of(history(command_.provenance(), shared_.timestamp, origins_.sources));
  leave_out_large(output, attributes);
  if (last_step) last_step(ready, attributes);
  for (const Result& result : ready) {
    if (result.producer)
      sink_->add(result.name, *result.producer, result.attributes);
    else
      sink_->add(result.name, result.tensor, result.attributes);
  }
  for (const auto& [group, of_group] : attributes) sink_->set_attributes(group, of_group);
}

void ResultWriter::print_text(const std::string& text) {
  expect_all_read();
  if (shared_.dry_run) say_dry_run({});
  put(text);
}

void ResultWriter::end_dry_run() {
  if (!shared_.dry_run) return;
  expect_all_read();
  say_dry_run({});
}

/// Adds the coordinates of results, unless the output has the same under their name. Where it has others, the axis
/// loses its name.
void ResultWriter::add_coordinates(const Output& output, std::vector<Result>& results) {
  if (!writes_hdf5(output)) return;
  std::unique_ptr<attn::Source> present;  // the file that is appended to
  std::error_code none;
  if (output.options.append && std::filesystem::is_regular_file(output.operand.source, none))
    present = attn::io::open_source(output.operand.source);
  const auto is_known = [&](const Coordinate& coordinate) -> std::optional<bool> {
    const std::string& name = coordinate.name;
    const auto read = [&] { return coordinate.source->read(name, coordinate.part); };
    for (const Result& result : results) {
      if (result.name != name) continue;
      const bool is_itself = result.tensor.name == coordinate.source->label() + ":/" + name && coordinate.part.empty();
      return is_itself || (!result.producer && are_same(result.tensor, read()));
    }
    if (present == nullptr || present->find(name) == nullptr) return std::nullopt;
    return are_same(present->stored().read(name), read());
  };
  for (std::size_t i = 0, count = results.size(); i < count; ++i)
    for (const Coordinate& coordinate : std::exchange(results[i].coordinates, {})) {
      const auto& [source, name, part] = coordinate;
      const std::optional<bool> known = is_known(coordinate);
      if (!known)
        results.push_back({name, source->read(name, part), attributes_of(*source, name, part, report_.notes())});
      if (known.value_or(true)) continue;
      std::vector<std::string> axes = attn::texts_of(results[i].attributes, "DIMENSION_LIST");
      std::replace(axes.begin(), axes.end(), name, std::string());
      results[i].attributes["DIMENSION_LIST"] = attn::vector_of(axes);
      lost_.insert(results[i].name + ": its coordinates " + name +
                   " are left out, as the output has others of that name");
    }
}

/// Names the axes of all results with as many axes as the first one.
void ResultWriter::name_axes(const Output& output, std::vector<Result>& results) const {
  const std::vector<std::string>& names = output.dimensions;
  if (names.empty()) return;
  const attn::Shape& shape = results.front().shape();
  if (names.size() != shape.size())
    throw Error(ErrorKind::usage, "--dims",
                "has " + std::to_string(names.size()) + " names, the result has shape " + attn::to_string(shape));
  for (Result& result : results) {
    if (result.shape().size() != names.size()) continue;
    result.attributes["DIMENSION_LIST"] = attn::vector_of(names);
    result.coordinates.clear();
  }
}

/// A mask, a bias or a past that nothing has read is a mistake; by now everything has been.
void ResultWriter::expect_all_read() const {
  for (const Input* input : command_.inputs())
    if (!input->text.empty() && origins_.options.count(input->option) == 0)
      throw Error(ErrorKind::usage, input->option.empty() ? "INPUT " + input->text : input->option,
                  "is not read: the other options leave no use for it",
                  "leave it out, or see " + command_.help().tool + " --help");
}

/// A line for each tensor and one for the operations; nothing where a batch is like the one before.
void ResultWriter::say_dry_run(const std::vector<attn::TensorInfo>& written) {
  std::string text = dry_run_text(origins_.log.read, written, operations_.take(), wants_json());
  if (text != shown_) put(text);
  shown_ = std::move(text);
  throw DryRunEnded{};
}

/// In the dtype of the output, inspected and checked; what need not be whole before it is written stays a producer.
std::vector<Result> ResultWriter::as_written(const Output& output, std::vector<Result> results) {
  name_main(output, results);
  if (writes_rows(output) && !output.converts) results = with_dates(std::move(results));
  std::set<std::string> names;
  for (const Result& result : results) names.insert(result.name);
  const std::set<std::string> checked = check_.choose(names, *origins_.inputs);
  // Where "nothing was written" must hold, all is computed before anything goes into a pipe.
  const bool whole = is_for_the_eye(output) || (shared_.fail_on_nonfinite && is_stream(output.operand.source));
  for (Result& result : results) {
    const attn::DType dtype = written_dtype(output, result);
    if (result.producer && (whole || may_fail(result.dtype(), dtype))) {
      result.tensor = attn::collect(*result.producer);
      result.producer.reset();
    }
    if (result.producer)
      result.producer = converted(*result.producer, dtype);
    else if (dtype != result.dtype()) {
      if (const std::string moved = moved_times(result.tensor, result.attributes, dtype); !moved.empty())
        report_.note("result " + result.name + ": " + moved);
      result.tensor = attn::cast(attn::renamed(result.tensor, "result " + result.name), dtype);
    }
    inspect(result);
    if (checked.count(result.name) != 0) check_.compare(result, *origins_.inputs);
  }
  return results;
}

/// What the format does not keep is said at the end, once of each.
void ResultWriter::note_losses(const Output& output, const std::vector<Result>& results) {
  const attn::io::Format format = format_of(output);
  const std::string redirected = attn::io::note_on_redirection(output.operand.source, output.options);
  if (!redirected.empty()) lost_.insert(redirected);
  if (format == attn::io::Format::hdf5) return;
  for (const std::string& line : handed_on_in_vain(results)) lost_.insert(line);
  if (format == attn::io::Format::csv || format == attn::io::Format::tsv || format == attn::io::Format::jsonl) return;
  for (const Result& result : results)
    if (result.shape().size() == 2 && result.shape()[1] > 1 &&
        !attn::io::column_names(result.attributes, result.shape()[1]).empty())
      lost_.insert(result.name + ": the names of its columns are lost, as only HDF5, tables and JSON Lines keep them");
}

/// What would be written of these. Throws what the output and --keep would refuse.
std::vector<attn::TensorInfo> ResultWriter::rehearse(const Output& output, std::vector<Result> results) {
  name_main(output, results);
  if (writes_rows(output) && !output.converts) results = with_dates(std::move(results));
  Companions beside =
      companions(shared_, results, output.main_name(), output.operand.source, origins_, report_.notes());
  std::vector<attn::TensorInfo> written;
  for (const Result& result : results) written.push_back({result.name, written_dtype(output, result), result.shape()});
  for (Result& kept : beside.results) results.push_back(std::move(kept));
  const std::size_t own = written.size();
  add_coordinates(output, results);
  for (std::size_t i = own; i < results.size(); ++i)
    written.push_back({results[i].name, results[i].dtype(), results[i].shape()});
  if (!is_open()) open(output);
  if (sink_ != nullptr) sink_->expect(written);
  return written;
}

/// --dtype applies to the main result, and to others only if both types are floats.
attn::DType ResultWriter::written_dtype(const Output& output, const Result& result) const {
  const attn::DType computed = result.dtype();
  if (!shared_.dtype) return computed;
  if (result.name == output.main_name()) return result_dtype(output, computed, *shared_.dtype);
  return attn::is_floating(computed) && attn::is_floating(*shared_.dtype) ? *shared_.dtype : computed;
}

/// --stats and --fail-on-nonfinite: at once, or while the result is written.
void ResultWriter::inspect(Result& result) {
  if (!shared_.stats && !shared_.fail_on_nonfinite) return;
  const attn::TensorInfo info{result.name, result.dtype(), result.shape()};
  if (info.dtype == attn::DType::string) return say_statistics(info, {});
  const auto seen = std::make_shared<RunningStatistics>(info.dtype);
  const auto say = [this, seen, info] { say_statistics(info, seen->result()); };
  if (result.producer) {
    result.producer = watched(
        *result.producer, [seen](const TensorView& part) { seen->see(part); }, say);
  } else {
    seen->see(result.tensor);
    say();
  }
}

void ResultWriter::say_statistics(const attn::TensorInfo& result, const Statistics& s) const {
  if (shared_.stats)
    report_.say(result.name + " " + attn::to_string(result.shape) + " " + std::string(attn::name_of(result.dtype)) +
                ": " + to_string(s));
  if (!shared_.fail_on_nonfinite || s.finite() == s.count) return;
  report_.say(result.name + ": " + std::to_string(s.count - s.finite()) + " of " + std::to_string(s.count) +
              " elements are not finite; " +
              (batches_are_out_ ? "the batches before this one were written" : "nothing was written"));
  throw Finished{said_no};
}

/// Leaves out the attributes of files and groups that HDF5 cannot hold, and notes their names.
void ResultWriter::leave_out_large(const Output& output, GroupAttributes& groups) {
  if (format_of(output) != attn::io::Format::hdf5) return;
  const std::string label = output.text == "-" ? "standard output" : output.operand.source;
  for (auto& [group, attributes] : groups) {
    const std::string subject = group.empty() ? label : label + ":/" + group;
    for (auto attribute = attributes.begin(); attribute != attributes.end();) {
      const auto& [name, value] = *attribute;
      const std::size_t excess = attn::io::excess_for_hdf5_group(name, value, subject);
      if (excess > 0)
        lost_.insert(subject + ": attribute '" + name + "' of " + std::to_string(excess) +
                     " bytes is left out, as files and groups of HDF5 hold less than 64 KB of each");
      excess > 0 ? attribute = attributes.erase(attribute) : ++attribute;
    }
  }
}

void ResultWriter::end_batch(const std::function<bool()>& has_more) {
  if (sink_ != nullptr && !shared_.dry_run) sink_->end_batch(has_more);
  blocks_.reset();
  flush_text();
  const Output* output = command_.output();
  batches_are_out_ = output != nullptr && is_stream(output->operand.source);
}

bool ResultWriter::finish(std::size_t batches) {
  expect_all_read();
  if (shared_.dry_run) {
    put(end_of_dry_run(batches, wants_json()));
  } else {
    if (sink_ != nullptr) sink_->commit();
    if (text_ != nullptr) text_->commit();
    for (const std::string& line : lost_) report_.note(line);
    for (const auto& file : files_) file->commit();
    for (const auto& sink : sinks_) sink->commit();
    if (when_visible_) when_visible_();
  }
  flush_text();
  return !check_.failed();
}

}  // namespace cli
