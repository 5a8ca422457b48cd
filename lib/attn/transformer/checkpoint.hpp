#pragma once
// Files of weights in their variants: with and without prefixes, with old names, with tied tensors stored once, twice
// or under another name, with buffers and heads of other tasks.

#include <attn/transformer/description.hpp>

namespace ATTN_API attn {

/// The weights of a source by the names of the description, checked for completeness; reads only a few rows of tied
/// tensors that are stored twice.
///
/// Accepted names: those of the description; these without the base ("bert."), or with another prefix in its place or
/// before it ("module.", "model."); "gamma" and "beta" of a norm; the other names of a tied tensor.
/// A missing optional head is removed from the description. Remaining tensors must match `unused` of the description: a
/// tensor that belongs to nothing is an error, since ignoring it would change the model.
///
/// Throws Error(input) that names the first missing tensor, Error(data) that names a tensor with a wrong shape, that is
/// not of floats, that has no place in the model, or that differs from the one it is tied to.
Weights checked_weights(ModelDescription& model, Source& source);

/// May a file of the model hold a tensor of that name that is not read: a copy of a tied one, a buffer, another head's?
bool is_unneeded(const ModelDescription& model, const std::string& name);

/// The tensors of a model that a source lacks, or has in another shape, by the names of the description.
std::vector<std::string> missing_tensors(const ModelDescription& model, Source& source);

}  // namespace attn
