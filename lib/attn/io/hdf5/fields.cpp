#include <attn/io/hdf5/fields.hpp>

#include <hdf5.h>

#include <algorithm>
#include <utility>

namespace attn::io::hdf5 {
namespace {

struct Member {
  std::string name;
  Handle type;
  std::size_t offset;  // in memory
};

std::vector<Member> members_of(Id record) {
  std::vector<Member> members;
  const int count = H5Tget_nmembers(record);
  for (unsigned i = 0; count > 0 && i < static_cast<unsigned>(count); ++i) {
    char* name = H5Tget_member_name(record, i);
    Handle type(H5Tget_member_type(record, i), H5Tclose);
    if (name != nullptr && type) members.push_back({name, std::move(type), H5Tget_member_offset(record, i)});
    H5free_memory(name);
  }
  return members;
}

/// How many more bytes members take in the file than in memory.
std::size_t grown(std::size_t bytes, std::size_t in_memory, std::size_t in_file) {
  return bytes + in_file - in_memory;  // unsigned: the sum is never below 0
}

bool is_old_reference(Id type) {
  return H5Tequal(type, H5T_STD_REF_OBJ) > 0 || H5Tequal(type, H5T_STD_REF_DSETREG) > 0;
}

}  // namespace

bool is_record(Id type) { return H5Tget_class(type) == H5T_COMPOUND; }

bool is_complex(Id type) {
  if (H5Tget_class(type) != H5T_COMPOUND) return false;
  const std::vector<Member> parts = members_of(type);
  if (parts.size() != 2) return false;
  const auto are_named = [&](const char* real, const char* imaginary) {
    return parts[0].name == real && parts[1].name == imaginary;
  };
  const std::size_t size = H5Tget_size(parts[0].type);
  return (are_named("r", "i") || are_named("re", "im") || are_named("real", "imag")) &&
         H5Tget_class(parts[0].type) == H5T_FLOAT && H5Tequal(parts[0].type, parts[1].type) > 0 &&
         parts[0].offset == 0 && parts[1].offset == size && H5Tget_size(type) == 2 * size;
}

std::vector<std::string> field_names(Id record) {
  std::vector<std::string> names;
  for (const Member& member : members_of(record)) {
    if (!is_record(member.type) || is_complex(member.type)) {
      names.push_back(member.name);
      continue;
    }
    for (const std::string& inner : field_names(member.type)) names.push_back(member.name + "/" + inner);
  }
  return names;
}

std::size_t stored_size(Id type, std::size_t reference_bytes) {
  const std::size_t in_memory = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_STRING: return H5Tis_variable_str(type) > 0 ? reference_bytes : in_memory;
    case H5T_VLEN: return reference_bytes;
    case H5T_REFERENCE: return is_old_reference(type) ? in_memory : 0;
    case H5T_ARRAY: {
      const Handle base(H5Tget_super(type), H5Tclose);
      const std::size_t one = base ? H5Tget_size(base) : 0;
      return one == 0 ? 0 : in_memory / one * stored_size(base, reference_bytes);
    }
    case H5T_COMPOUND: {
      std::size_t bytes = in_memory;
      for (const Member& member : members_of(type)) {
        const std::size_t stored = stored_size(member.type, reference_bytes);
        if (stored == 0) return 0;
        bytes = grown(bytes, H5Tget_size(member.type), stored);
      }
      return bytes;
    }
    default: return in_memory;
  }
}

std::optional<Field> field_of(Id type, const std::string& name, std::size_t reference_bytes) {
  if (name.empty()) {
    Field whole{Handle(H5Tcopy(type), H5Tclose), {}, 0};
    while (whole.type && H5Tget_class(whole.type) == H5T_ARRAY) {
      const int rank = H5Tget_array_ndims(whole.type);
      std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(rank, 0)));
      if (rank < 1 || H5Tget_array_dims2(whole.type, extents.data()) < 0) return std::nullopt;
      whole.inner.insert(whole.inner.end(), extents.begin(), extents.end());
      whole.type = Handle(H5Tget_super(whole.type), H5Tclose);
    }
    if (whole.type && is_complex(whole.type)) {
      whole.inner.push_back(2);
      whole.type = std::move(members_of(whole.type).front().type);
    }
    return whole;
  }
  if (!is_record(type) || stored_size(type, reference_bytes) == 0) return std::nullopt;
  std::vector<Member> members = members_of(type);
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.offset < b.offset; });
  std::size_t more = 0;  // bytes in the file before a member than in memory
  for (const Member& member : members) {
    const std::size_t length = member.name.size();
    const bool is_group = is_record(member.type) && name.compare(0, length + 1, member.name + "/") == 0;
    if (is_group || name == member.name) {
      std::optional<Field> field = field_of(member.type, is_group ? name.substr(length + 1) : "", reference_bytes);
      if (field) field->offset += member.offset + more;
      return field;
    }
    more = grown(more, H5Tget_size(member.type), stored_size(member.type, reference_bytes));
  }
  return std::nullopt;
}

std::string way_to_read(Id type, const std::string& name) {
  switch (H5Tget_class(type)) {
    case H5T_COMPOUND: {
      const std::vector<std::string> names = field_names(type);
      return names.empty() ? "" : "name one of its fields, as in " + name + "/" + names.front();
    }
    case H5T_OPAQUE:
      return H5Tget_size(type) == 2
                 ? "if these are bfloat16, write them as float32 with h5py: d[()].view(ml_dtypes.bfloat16).astype('f4')"
                 : "write them as bytes with h5py: d[()].view('u1')";
    case H5T_REFERENCE: return "name the dataset that is referred to; h5dump -d shows which";
    case H5T_VLEN: return "write the lists in a row with h5py: numpy.concatenate(d[()])";
    default: return "";
  }
}

}  // namespace attn::io::hdf5
