#include "cli/session.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/execution.hpp>
#include <attn/io/input.hpp>
#include <attn/layers/norm.hpp>

#include <algorithm>
#include <cstdlib>

namespace cli {

using attn::TensorView;

Gradient by_parameter(const TensorView& parameter, const std::string& name, const TensorView& value) {
  // A tensor of a file is called FILE:/NAME, and a literal what was written.
  const std::size_t path = parameter.name.find(":/");
  return {"d/" + (path == std::string::npos ? name : parameter.name.substr(path + 2)), value, parameter.name};
}

std::optional<TensorView> Gradients::cotangent(const std::string& result) {
  if (check_ != nullptr) return check_->cotangent(result);
  const attn::io::Operand& operand = inputs_.parse(shared_.vjp.text);
  if (operand.literal || operand.dataset.empty() || !operand.slab.empty()) return std::nullopt;
  const Inputs::Group group = inputs_.open(shared_.vjp);
  const std::string name = group.prefix + "/" + result;
  if (group.source->find(name) == nullptr) return std::nullopt;
  return inputs_.read(*group.source, name);
}

TensorView Gradients::cotangent() {
  if (const auto in_group = cotangent("y")) return *in_group;
  return inputs_.read(static_cast<const Input&>(shared_.vjp));
}

void Gradients::add_others(const Input& others, std::vector<Result>& results) {
  const Inputs::Group group = inputs_.open(others);
  const std::string prefix = group.prefix.empty() ? "" : group.prefix + "/";
  for (const attn::TensorInfo& info : group.source->tensors()) {
    if (!attn::starts_with(info.name, prefix)) continue;
    const TensorView other = inputs_.read(*group.source, info.name);
    const std::string name = "d/" + info.name.substr(prefix.size());
    const auto ours =
        std::find_if(results.begin(), results.end(), [&](const Result& result) { return result.name == name; });
    if (ours == results.end())
      results.push_back({name, other});
    else
      ours->tensor = attn::add_residual(ours->tensor, other);
  }
}

void Gradients::write(const Output& output, const std::vector<Gradient>& gradients) {
  if (check_ != nullptr) return check_->keep(gradients);
  std::vector<Result> results;
  for (const Gradient& gradient : gradients) results.push_back({gradient.name, gradient.value});
  for (const OptionalInput& others : shared_.added_gradients)
    if (others.given()) add_others(others, results);
  results_.write(output, results);
}

void Batches::each(const std::function<void()>& work, const std::function<bool()>& move) {
  for (bool goes_on = true; goes_on; number_ += goes_on) {
    try {
      work();
    } catch (const DryRunEnded&) {
    }
    // What was read is let go before more comes, and answered before it is waited for.
    results_.end_batch([this] { return has_next(); });
    origins_.log.read.clear();
    origins_.main_input.reset();
    goes_on = move ? move() : origins_.inputs->next_batch();
    results_.next_batch(goes_on);
  }
}

bool Batches::has_next() { return origins_.inputs->has_next_batch(); }

ExitCode Batches::finish() {
  const bool is_as_checked = results_.finish(number_);
  report_.progress_bar.finish();
  return is_as_checked && !report_.said_no() ? done : said_no;
}

attn::Isa isa_of_environment() {
  const char* name = std::getenv("ATTN_ISA");
  return name == nullptr || *name == '\0' ? attn::native_isa() : attn::isa_from_name(name);
}

struct Session::State {
  const Command& command;
  const SharedOptions& shared;
  attn::ThreadPool pool{shared.threads};
  Report report{command.help().tool, shared.report};
  Origins origins;
  attn::OperationCount operations;  ///< of a dry run
  std::optional<GradientCheck> check;
  Inputs inputs{command, shared, pool, report, origins, check_or_null()};
  ResultWriter results{command, shared, pool, report, origins, operations, check_or_null()};
  Gradients gradients{shared, inputs, results, check_or_null()};
  Batches batches{origins, results, report};
  attn::Execution execution;

  GradientCheck* check_or_null() {
    if (shared.checked_directions > 0 && !check) check.emplace();
    return check ? &*check : nullptr;
  }

  std::shared_ptr<RowBlocks> row_blocks();

  State(const Command& given, const SharedOptions& options) : command(given), shared(options) {
    execution.engine = options.engine;
    execution.isa = isa_of_environment();
    execution.pool = &pool;
    execution.progress = report.progress_bar.hook();
    if (shared.dry_run) execution.dry_run = &operations;
  }
};

Session::Session(const Command& command, const SharedOptions& shared)
    : state_(std::make_unique<State>(command, shared)),
      inputs(state_->inputs),
      results(state_->results),
      gradients(state_->gradients),
      report(state_->report),
      batches(state_->batches) {
  if (const char* const folders = std::getenv("HDF5_PLUGIN_PATH")) attn::io::set_hdf5_plugins(folders);
  const bool reference = execution().engine == attn::Engine::reference;
  report.detail(std::to_string(execution().threads()) + " threads, instruction set " +
                std::string(name_of(execution().isa)) + ", " + (reference ? "reference" : "automatic") + " engine");
}

Session::~Session() = default;

const attn::Execution& Session::execution() const noexcept { return state_->execution; }
std::optional<attn::DType> Session::dtype() const noexcept { return state_->shared.dtype; }
attn::DType Session::at_least(attn::DType compute) const { return dtype() == attn::DType::f64 ? *dtype() : compute; }

TensorView Session::widened(const TensorView& x) const {
  if (x.dtype == attn::DType::string || at_least(x.dtype) == x.dtype) return x;
  return attn::cast(x, attn::DType::f64);
}

TensorView Session::unrounded(const TensorView& x) const {
  const bool has_16_bits = x.dtype == attn::DType::f16 || x.dtype == attn::DType::bf16;
  if (!has_16_bits || dtype().value_or(x.dtype) == x.dtype) return widened(x);
  return widened(attn::cast(x, attn::DType::f32));
}

void Session::run(const std::function<void()>& work) {
  if (state_->check)
    return state_->check->check(
        work, state_->shared.checked_directions, [this](const std::string& line) { results.print(line); }, report);
  if (const auto blocks = state_->row_blocks()) return run_by_rows(blocks, work);
  work();
  report.note_counts();
}

/// The blocks of rows to run one after the other; null if nothing but the result is wanted as a whole.
std::shared_ptr<RowBlocks> Session::State::row_blocks() {
  const Output* const output = command.output();
  if (output == nullptr || !output->by_rows || !output->emit.empty() || is_for_the_eye(*output)) return nullptr;
  if (gradients.wanted() || shared.dry_run || !output->may_go_by_rows()) return nullptr;
  const auto blocks = inputs.row_blocks(*output);
  return blocks ? std::make_shared<RowBlocks>(*blocks) : nullptr;
}

/// The tool runs for the first block, and again for each other one while its result is written. The first one is small:
/// it shows how many bytes of the result a row makes.
void Session::run_by_rows(const std::shared_ptr<RowBlocks>& blocks, const std::function<void()>& work) {
  attn::Execution& execution = state_->execution;
  const attn::ProgressHook progress = report.progress_bar.hook();
  execution.progress = nullptr;
  blocks->rows_at_once = std::max(blocks->rows_at_once / 32, blocks->together);
  const auto at = std::make_shared<RowBlocks::Block>(blocks->first());
  // Where memory is short, fewer rows at once may do.
  const auto compute = [=] {
    const bool had_begun = results.has_begun_blocks();
    for (;;) {
      try {
        return work();
      } catch (const attn::Error& error) {
        const bool is_computed = results.has_begun_blocks() != had_begun;
        if (error.kind() != attn::ErrorKind::memory || is_computed || !blocks->halve(*at)) throw;
        inputs.shorten(*at);
      }
    }
  };
  inputs.move_to(blocks, *at);
  results.expect_blocks(blocks, [=, &execution](std::size_t bytes) {
    if (progress && !blocks->coming) progress(at->before * blocks->rows + at->last, blocks->before * blocks->rows);
    blocks->fit(bytes / (at->last - at->first));
    report.hush(false);  // for what is noted of the rows that come
    if (!blocks->next(*at)) {
      inputs.end_blocks();
      report.note_counts();
      execution.progress = progress;
      return false;
    }
    report.hush();
    inputs.move_to(blocks, *at);
    compute();
    return true;
  });
  try {
    compute();
  } catch (const attn::Error& error) {
    // What is wrong with the first rows is said of all.
    if (results.has_begun_blocks() || error.kind() == attn::ErrorKind::memory) throw;
    inputs.end_blocks();
    results.expect_no_blocks();
    report.hush();
    execution.progress = progress;
    try {
      return work();
    } catch (const attn::Error& of_all) {
      if (of_all.kind() != attn::ErrorKind::memory) throw;
    }
    throw;
  }
}

RunRecord Session::record() const {
  RunRecord record = inputs.record();
  record.instruction_set = attn::name_of(execution().isa);
  return record;
}

bool Session::was_given(const std::string& option) const { return state_->command.was_given(option); }

}  // namespace cli
