#pragma once
// Files of weights as people have them: with and without prefixes, with old names, tied tensors stored once, twice or
// under another name, buffers and heads of other tasks beside the model.

#include <attn/transformer/description.hpp>

namespace ATTN_API attn {

/// The weights of a source under the names of the description, found to be whole; nothing is read but a few rows of
/// tensors that are tied and stored twice.
///
/// Names that are understood: the description's; these without the base ("bert."), or with something else in its
/// place or in front of it ("module.", "model."); "gamma" and "beta" of a norm; the other names of a tied tensor.
/// A head that is optional and not there is taken out of the description.
/// What is left over must be covered by the description's `unused`: a tensor that belongs to nothing is an error, since
/// leaving it out would change the model.
///
/// Throws Error(input) naming the first tensor that the source lacks, Error(data) naming one that has another shape, is
/// not of floats, has no place in the model, or is not the one it is tied to.
Weights checked_weights(ModelDescription& model, Source& source);

}  // namespace attn
