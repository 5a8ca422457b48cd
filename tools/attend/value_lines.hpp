#pragma once
// -v of attend as lines of text, one for each key, such as the texts of a semantic search.

#include "attend/options.hpp"

#include <attn/attention/search.hpp>

#include <string>
#include <vector>

namespace attend_tool {

/// -v is lines of text: a file that is called so, or a column of a table.
bool are_lines(const std::string& text);
/// The lines of -v, one for each key.
std::vector<std::string> values_of(const Options& options, const attn::TensorView& key, cli::Session& session);
/// "SCORE<tab>LINE" for the best keys of each query, with an empty line between queries.
void print_lines(const std::vector<std::string>& lines, const attn::SearchResult& result, int precision,
                 cli::Results& results);

}  // namespace attend_tool
