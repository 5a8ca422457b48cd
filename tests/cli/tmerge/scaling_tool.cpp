// A tool whose options nobody has listed anywhere: its parts are refused if the options that change numbers differ.

#include "cli/part.hpp"
#include "cli/tool.hpp"

namespace {

struct Options {
  cli::Input input;
  double factor = 2;
  std::string remark;
  bool negative = false;
  cli::OptionalInput offset{"offset"};
  std::optional<cli::Shard> shard;
  cli::Output output;
};

void declare(cli::Command& command, Options& o) {
  command.input(o.input);
  command.option("--factor", o.factor, "NUMBER: factor");
  command.flag("--negative", o.negative, "change the sign");
  command.input("--offset", o.offset, "added to each row");
  command.changes(cli::Effect::form);
  command.option("--remark", o.remark, "WORD: changes no number");
  command.changes(cli::Effect::numbers);
  cli::add_shard(command, o.shard, "of the rows");
  command.output(o.output);
}

void run(const Options& o, cli::Session& session) {
  session.inputs.keep_record();
  const cli::PartHead part(cli::PartKind::rows, "rows", 1, session.inputs.shape(o.input)[0], *o.shard);
  const attn::TensorView x = attn::cast(session.inputs.read_rows(o.input, 0, part.first, part.end), attn::DType::f64);
  const auto offset = session.read(o.offset);
  attn::Tensor y(attn::DType::f64, x.shape);
  for (std::size_t i = 0; i < y.size(); ++i)
    y.data_as<double>()[i] =
        (o.negative ? -o.factor : o.factor) * x.contiguous_data<double>()[i] + (offset ? attn::to_scalar(*offset) : 0);
  std::vector<cli::Result> results{{"", y.view()}};
  cli::set_row_axis(results.front(), 0);
  cli::write_part(o.output, part, std::move(results), session);
}

}  // namespace

ATTN_TOOL("scaling-tool", "multiply rows", Options, declare, run)
