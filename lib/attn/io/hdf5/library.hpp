#pragma once
// libhdf5, which writes what is more than a plain image. It brings 34 libraries into a process, so it is in a module
// and its functions are found when a Section asks for them first: in this namespace their names are pointers to them.

#include <attn/core/module.hpp>

#include <hdf5.h>
#include <hdf5_hl.h>

/// All functions of it that are called here.
#define ATTN_HDF5_FUNCTIONS(each) \
  each(H5Aclose) each(H5Acreate2) each(H5Adelete) each(H5Aexists) each(H5Aexists_by_name) each(H5Aget_create_plist)    \
  each(H5Aget_space) each(H5Aget_type) each(H5Aiterate2) each(H5Aopen) each(H5Aread) each(H5Awrite)                    \
  each(H5DSattach_scale) each(H5DSis_scale) each(H5DSset_scale) each(H5Dclose) each(H5Dcreate2)                        \
  each(H5Dcreate_anon) each(H5Dget_chunk_storage_size) each(H5Dget_create_plist) each(H5Dget_num_chunks)               \
  each(H5Dget_offset) each(H5Dget_space) each(H5Dget_storage_size) each(H5Dget_type) each(H5Dopen2) each(H5Dread)      \
  each(H5Dread_chunk) each(H5Dvlen_reclaim) each(H5Dwrite) each(H5Dwrite_chunk) each(H5Eclear2) each(H5Eget_auto2)     \
  each(H5Eset_auto2) each(H5Ewalk2) each(H5Fclose) each(H5Fcreate) each(H5Fget_create_plist) each(H5Fget_eoa)          \
  each(H5Fget_filesize) each(H5Fopen) each(H5Fset_libver_bounds) each(H5Gclose) each(H5Gcreate2)                       \
  each(H5Gget_create_plist) each(H5Gopen2) each(H5Iget_type) each(H5Lcopy) each(H5Lcreate_hard) each(H5Lexists)        \
  each(H5Lget_info) each(H5Lget_val) each(H5Literate) each(H5Oclose) each(H5Oget_info2) each(H5Oget_info_by_name2)     \
  each(H5Olink) each(H5Oopen) each(H5Ovisit2) each(H5Pclose) each(H5Pcreate) each(H5Pget_attr_creation_order)          \
  each(H5Pget_attr_phase_change) each(H5Pget_link_creation_order) each(H5Pget_link_phase_change)                       \
  each(H5Pget_mdc_config) each(H5Pget_shared_mesg_nindexes) each(H5Pget_userblock) each(H5Pmodify_filter)              \
  each(H5Pset_alignment) each(H5Pset_alloc_time) each(H5Pset_attr_creation_order) each(H5Pset_attr_phase_change)       \
  each(H5Pset_char_encoding) each(H5Pset_chunk) each(H5Pset_create_intermediate_group) each(H5Pset_deflate)            \
  each(H5Pset_elink_cb) each(H5Pset_fapl_stdio) each(H5Pset_file_locking) each(H5Pset_fill_time)                       \
  each(H5Pset_filter) each(H5Pset_libver_bounds) each(H5Pset_link_creation_order) each(H5Pset_link_phase_change)       \
  each(H5Pset_mdc_config) each(H5Pset_obj_track_times) each(H5Pset_shuffle) each(H5Pset_userblock) each(H5Sclose)      \
  each(H5Screate) each(H5Screate_simple) each(H5Sget_simple_extent_dims) each(H5Sget_simple_extent_ndims)              \
  each(H5Sget_simple_extent_npoints) each(H5Sget_simple_extent_type) each(H5Sselect_hyperslab)                         \
  each(H5Sset_extent_simple) each(H5Tclose) each(H5Tcommit2) each(H5Tcommitted) each(H5Tcopy) each(H5Tdecode)          \
  each(H5Tdetect_class) each(H5Tencode) each(H5Tget_class) each(H5Tget_create_plist) each(H5Tget_member_offset)        \
  each(H5Tget_member_type) each(H5Tget_nmembers) each(H5Tget_size) each(H5Tget_super) each(H5Topen2)                   \
  each(H5Zregister) each(H5allocate_memory) each(H5check_version) each(H5dont_atexit) each(H5free_memory)              \
  each(H5open)

/// The numbers of its classes of properties and of its types.
#define ATTN_HDF5_NUMBERS(each) \
  each(H5P_CLS_ATTRIBUTE_CREATE_ID_g) each(H5P_CLS_DATASET_ACCESS_ID_g) each(H5P_CLS_DATASET_CREATE_ID_g)              \
  each(H5P_CLS_DATATYPE_CREATE_ID_g) each(H5P_CLS_FILE_ACCESS_ID_g) each(H5P_CLS_FILE_CREATE_ID_g)                     \
  each(H5P_CLS_GROUP_ACCESS_ID_g) each(H5P_CLS_GROUP_CREATE_ID_g) each(H5P_CLS_LINK_ACCESS_ID_g)                       \
  each(H5P_CLS_LINK_CREATE_ID_g) each(H5T_IEEE_F32BE_g)

namespace attn::io::hdf5 {

/// A variable of the library.
class LibraryNumber {
 public:
  operator hid_t() const noexcept { return *place_; }
  void find(void* place) noexcept { place_ = static_cast<const hid_t*>(place); }

 private:
  const hid_t* place_ = nullptr;
};

#define ATTN_HDF5_DECLARE(name) extern decltype(&::name) name;
ATTN_HDF5_FUNCTIONS(ATTN_HDF5_DECLARE)
#undef ATTN_HDF5_DECLARE
#define ATTN_HDF5_DECLARE(name) extern LibraryNumber name;
ATTN_HDF5_NUMBERS(ATTN_HDF5_DECLARE)
#undef ATTN_HDF5_DECLARE

}  // namespace attn::io::hdf5
