#pragma once
// A classifier of texts on the layers of another model: the head that it begins with.

#include <attn/core/source_sink.hpp>
#include <attn/transformer/description.hpp>

#include <string>
#include <vector>

namespace ATTN_API attn {

/// Has the head of a classifier all these labels, by name or by number?
bool has_labels(const ModelDescription& model, const std::vector<std::string>& labels);

/// The text of a config.json for a classifier with these labels and the layers that `config` describes: architectures,
/// id2label, label2id and problem_type are new, and no other number of labels is left. Throws Error(usage) for a family
/// without classifiers of texts.
std::string classifier_config(const std::string& config, const std::string& subject,
                              const std::vector<std::string>& labels);

/// The parameters that such a model begins anew: the map to the labels, and what else of the head the source lacks or
/// has in another shape.
std::vector<std::string> parameters_to_begin(const ModelDescription& classifier, Source& source);

}  // namespace attn
