// The HDF5 library on the other side: it reads plain images, and writes files of every width of addresses and sizes.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <attn/core/source_sink.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include "support/scratch.hpp"

#include <algorithm>
#include <numeric>

using namespace attn;

namespace {

std::string name_of(std::size_t i) { return "n" + std::to_string(i) + std::string(i % 11, 'x'); }

std::int64_t number_at(hid_t file, const std::string& path) {
  std::int64_t value = -1;
  const hid_t dataset = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
  H5Dclose(dataset);
  return value;
}

std::string text_at(hid_t file, const std::string& name) {
  const hid_t attribute = H5Aopen(file, name.c_str(), H5P_DEFAULT), type = H5Aget_type(attribute);
  char* text = nullptr;
  CHECK(H5Aread(attribute, type, &text) >= 0);
  const std::string copy = text;
  H5free_memory(text);
  H5Tclose(type);
  H5Aclose(attribute);
  return copy;
}

/// One or more of all kinds of structures.
void write_by_library(const std::string& path, std::size_t address, std::size_t size, bool is_new) {
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_sizes(creation, address, size);
  H5Pset_sym_k(creation, 2, 1);
  H5Pset_istore_k(creation, 2);
  H5Pset_libver_bounds(access, is_new ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
  REQUIRE(file >= 0);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE), one = H5Screate(H5S_SCALAR);
  H5Pset_create_intermediate_group(links, 1);
  for (std::int64_t i = 0; i < 30; ++i) {
    const std::string name = "g/" + name_of(std::size_t(i));
    const hid_t dataset = H5Dcreate2(file, name.c_str(), H5T_STD_I64BE, one, links, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &i) >= 0);
    H5Dclose(dataset);
  }
  const hsize_t extent = 50, part = 3;
  const hid_t chunks = H5Pcreate(H5P_DATASET_CREATE), row = H5Screate_simple(1, &extent, nullptr);
  H5Pset_chunk(chunks, 1, &part);
  H5Pset_attr_phase_change(chunks, 0, 0);
  const hid_t cut = H5Dcreate2(file, "cut", H5T_STD_I16LE, row, H5P_DEFAULT, chunks, H5P_DEFAULT);
  std::vector<int> numbers(extent);
  std::iota(numbers.begin(), numbers.end(), 0);
  CHECK(H5Dwrite(cut, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const char* words[] = {"fortytwo", "no"};
  for (const char*& word : words) {
    const hid_t attribute = H5Acreate2(cut, word, text, one, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Awrite(attribute, text, &word) >= 0);
    H5Aclose(attribute);
  }
  CHECK(H5Lcreate_soft("/cut", file, "again", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  for (const auto& [id, close] : {std::pair{cut, H5Dclose},
                                  {row, H5Sclose},
                                  {one, H5Sclose},
                                  {text, H5Tclose},
                                  {chunks, H5Pclose},
                                  {links, H5Pclose},
                                  {creation, H5Pclose},
                                  {access, H5Pclose}})
    close(id);
  CHECK(H5Fclose(file) >= 0);
}

}  // namespace

TEST_CASE("the HDF5 library finds each name in a plain image, and the number behind it") {
  const Scratch scratch;
  const std::string long_text(70000, 'z');
  // Around the room of one node of names, of a tree of one level and of two levels.
  for (const std::size_t count : {0u, 1u, 8u, 9u, 256u, 257u, 8193u}) {
    CAPTURE(count);
    const std::string path = scratch.path(std::to_string(count) + ".h5");
    const auto sink = io::create_sink(path);
    sink->add("last", vector_of(std::vector<std::int64_t>{-7}));
    for (std::size_t i = 0; i < count; ++i)
      sink->add("g/" + name_of(i), vector_of(std::vector<std::int64_t>{std::int64_t(i)}));
    sink->set_attributes("", {{"long", vector_of(std::vector<std::string>{long_text})},
                              {"short", vector_of(std::vector<std::string>{"metres"})}});
    sink->commit();
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    REQUIRE(file >= 0);
    CHECK(number_at(file, "last") == -7);
    std::size_t same = 0;
    for (std::size_t i = 0; i < count; ++i) same += number_at(file, "g/" + name_of(i)) == std::int64_t(i);
    CHECK(same == count);
    H5G_info_t group;
    if (count > 0) CHECK((H5Gget_info_by_name(file, "g", &group, H5P_DEFAULT) >= 0 && group.nlinks == count));
    CHECK(text_at(file, "long") == long_text);
    CHECK(text_at(file, "short") == "metres");
    CHECK(H5Fclose(file) >= 0);
  }
}

TEST_CASE("files of the HDF5 library have addresses and sizes of any width") {
  const Scratch scratch;
  for (const std::size_t address : {4, 8})
    for (const std::size_t size : {2, 4, 8})
      for (const bool is_new : {false, true}) {
        if (is_new && size == 2) continue;  // the library does not read its own heaps
        CAPTURE(address);
        CAPTURE(size);
        CAPTURE(is_new);
        const std::string path = scratch.path("library.h5");
        write_by_library(path, address, size, is_new);
        const auto source = io::open_source(path);
        CHECK(source->tensors().size() == 32);
        for (std::size_t i = 0; i < 30; ++i) {
          const TensorView x = contiguous(source->read("g/" + name_of(i)));
          CHECK((x.shape == Shape{} && *x.contiguous_data<std::int64_t>() == std::int64_t(i)));
        }
        for (const char* name : {"cut", "again"}) {
          const TensorView x = contiguous(source->read(name));
          REQUIRE(x.shape == Shape{50});
          for (std::int16_t i = 0; i < 50; ++i) CHECK(x.contiguous_data<std::int16_t>()[i] == i);
          const Attributes attributes = source->attributes(name);
          CHECK(*attributes.at("fortytwo").contiguous_data<std::string>() == "fortytwo");
          CHECK(*attributes.at("no").contiguous_data<std::string>() == "no");
        }
      }
}
