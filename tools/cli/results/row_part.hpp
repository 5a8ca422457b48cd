#pragma once
// The file of a part with some rows of the results: what --shard I/N writes, and what tmerge concatenates.
//
// The datasets are those of the whole run. Each dataset with rows has the attribute `rows`: its axis of rows. The
// group `rows` has the attributes of the part: which rows it has of how many, and the options of the run. Datasets
// without the attribute are the same in every part. The attribute `checksum` is the hash of a dataset and of its axis
// of rows; datasets that are computed while they are written have none.

#include "cli/options/shard.hpp"
#include "cli/results/part.hpp"

namespace cli {

/// Rows [first, end) of `all`.
struct RowPart {
  PartHeader header;
  std::vector<std::string> datasets;  ///< names of the results, in their order
  std::vector<std::string> checked;   ///< those that have a checksum
  std::size_t first = 0, end = 0, all = 0;
};

/// The part of a shard of so many rows; its record follows when all is read.
RowPart part_of_rows(const Shard& shard, std::size_t rows);

/// Says that a result has the rows of a part along that axis.
void set_row_axis(Result& result, std::size_t axis);
/// The checksum of a dataset with these attributes.
std::string row_checksum(const attn::TensorView& x, const attn::Attributes& attributes);
/// The axis of rows of a dataset of that shape; none: the dataset is the same in every part.
std::optional<std::size_t> row_axis(const attn::Attributes& attributes);

/// Throws Error(data) if a dataset of the part lacks or is not what was written, as far as it has a checksum.
void expect_rows_as_written(attn::Source& source, const RowPart& part);

/// The attributes to be written with the results of a part, which get checksums.
GroupAttributes row_attributes(const RowPart& part, const Output& output, std::vector<Result>& results);
/// Is it a part with rows?
bool has_rows(const attn::Source& source);
/// What row_attributes() wrote. Throws Error(data) naming the file if it is damaged.
RowPart read_row_part(const attn::Source& source);

}  // namespace cli
