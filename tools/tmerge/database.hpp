#pragma once
// -k and -v: are these the keys and values that the parts were computed with?

#include "tmerge/parts.hpp"

#include <attn/core/hash.hpp>

namespace tmerge {

/// The value of an entry of the part's record. Throws Error(data) if it has none.
std::string entry_of(const Part& part, const std::string& name);

/// The hashes of the leaves of -k and -v, as the run of that part takes them.
std::vector<attn::Digest> contents_of_files(const Options& options, const Part& part, cli::Session& session);

/// Throws Error(data): the part was computed with others.
[[noreturn]] void refuse_database(const Options& options, const Part& part);

}  // namespace tmerge
