#pragma once
// What becomes of the attributes of tensors that are cut, joined and split: the names of columns go where their columns
// go, the others stay.

#include "tconv/changes.hpp"

#include <attn/core/slab.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tconv {

/// Has the item an attribute "columns" with a name for each index of its last axis, or, where it has one axis or none
/// and so is one column of a table, with that column's?
bool has_column_names(const Item& item);

/// What a part of a tensor with these attributes is called: as the whole, but one column of a table as the column is,
/// where it has a name.
std::string name_of_part(const attn::Source& source, const std::string& name, const attn::Attributes& attributes);

/// Is an item of a source one column of a table that is several datasets, or was chosen of a table?
bool is_column(const attn::Source& source, const Item& item);

/// Those names; empty where there are none.
std::vector<std::string> column_names(const Item& item);

/// The attributes in which all agree, to the bit.
attn::Attributes shared_attributes(const std::vector<Item>& items);

/// The names of all columns in a row, empty ones of items that have none; nothing where none has any.
std::optional<attn::TensorView> joined_columns(const std::vector<Item>& items);

/// The attributes of the `count` tensors that split() makes of an item.
std::vector<attn::Attributes> split_attributes(const Item& item, std::int64_t axis, std::size_t parts,
                                               std::size_t count);

}  // namespace tconv
