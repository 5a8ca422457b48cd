#pragma once
// Names of the columns of a matrix, as an attribute and in the header of a table.

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {
namespace io {

/// The list in the attribute `columns`, whose names may be numbers too; empty unless there are `count` of them.
std::vector<std::string> column_names(const Attributes& attributes, std::size_t count);

/// The columns that an operand names.
struct ChosenColumns {
  std::vector<std::size_t> places;
  std::string missing;        ///< the first word that is no column; empty if there are all
  bool is_ambiguous = false;  ///< it is several
};

/// The column that has the whole list as its name; else, for each word between commas, the column of that name or
/// number from 0, those between two columns and these (1-20, age-height, 2-), or those that match a pattern (e*),
/// whichever is there first. A name that differs only in slashes around it, or in the form of its accents, is the same
/// if no other is. Nothing between two commas is passed over. Of `count` columns with these names, or none.
ChosenColumns choose_columns(const std::string& list, const std::vector<std::string>& names, std::size_t count);

/// The error for what choose_columns() misses: says what there is, or how a range is written.
Error no_column(const std::string& subject, const ChosenColumns& chosen, const std::string& list,
                const std::vector<std::string>& names, std::size_t count);

/// Names of the datasets of `count` columns, one for each: the unique names, and numbers for columns whose name is not
/// unique, is not a path or leads through another (km/h and km), with underscores appended if the number is a name too.
std::vector<std::string> datasets_of_columns(const std::vector<std::string>& names, std::size_t count);

/// Does a dataset with these names of columns have the name that datasets_of_columns() gives to one column?
bool is_dataset_of_column(const std::string& dataset, const std::vector<std::string>& names);

/// A name that reads as a number would turn a header into a row of data: it is written with a leading slash, and so is
/// a name that already has one.
std::string marked_name(const std::string& name);
/// The inverse of marked_name().
std::string unmarked_name(const std::string& name);

/// The index of each wanted column among `names`; nothing if one is missing or ambiguous. Equal lists match as they
/// are.
std::optional<std::vector<std::size_t>> places_of(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& names);

/// Do names tell nothing about the order of columns? That of one column, and those that only count, such as y0, y1 or
/// V1, V2, which writers make up.
bool are_counted(const std::vector<std::string>& names);

/// "column 'age'" or "columns 'age', 'sex'": those of `wanted` that are not among `names`; empty if all are.
std::string missing_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& names);

/// "has no column 'age', which a.csv has", for names that places_of() does not match one by one.
std::string column_difference(const std::vector<std::string>& wanted, const std::vector<std::string>& names,
                              const std::string& other);

}  // namespace io
}  // namespace attn
