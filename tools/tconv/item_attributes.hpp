#pragma once
// Attributes of tensors that are cut, joined and split: names of columns follow their columns, other attributes stay.

#include "tconv/changes.hpp"

#include <attn/core/shape.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tconv {

/// Does the item have an attribute "columns" with a name for each index of its last axis, or, if it has at most one
/// axis and so is one column of a table, with the name of that column?
bool has_column_names(const Item& item);

/// The name of a part of a tensor with these attributes: that of the whole, or for one column of a table that of the
/// column, if it has one.
std::string name_of_part(const attn::Source& source, const std::string& name, const attn::Attributes& attributes);

/// Is an item of a source one column of a table of several datasets, or selected from a table?
bool is_column(const attn::Source& source, const Item& item);

/// Those names; empty if there are none.
std::vector<std::string> column_names(const Item& item);

/// The attributes that are equal in all, bit for bit.
attn::Attributes shared_attributes(const std::vector<Item>& items);

/// The names of all columns in sequence, empty for items without names; nothing if no item has names.
std::optional<attn::TensorView> joined_columns(const std::vector<Item>& items);

/// The attributes of the `count` tensors into which split() cuts an item.
std::vector<attn::Attributes> split_attributes(const Item& item, std::int64_t axis, std::size_t parts,
                                               std::size_t count);

}  // namespace tconv
