#pragma once
// The formats behind open_source() and create_sink(): one opener and one sink each.

#include <attn/io/byte_input.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/input.hpp>
#include <attn/io/output.hpp>

#include <memory>

namespace attn::io {

constexpr std::string_view hdf5_signature{"\x89HDF\r\n\x1a\n", 8};
constexpr std::string_view npy_signature{"\x93NUMPY", 6};

/// Does the input begin with a safetensors header: its length in 8 bytes, then a JSON object?
bool looks_like_safetensors(std::string_view head) noexcept;

/// `folder`: folder of other files that this one may lead to; empty: none. `depth`: number of files that led to this
/// one.
std::unique_ptr<Source> open_hdf5(std::unique_ptr<ByteInput> input, const std::string& folder,
                                  const NoteHook& note = {}, int depth = 0);
std::unique_ptr<Source> open_npy(std::unique_ptr<ByteInput> input);
/// What the header says; the elements need not be there.
TensorInfo info_of_npy(ByteInput input);
/// What is written before the elements: signature and header, a multiple of 64 bytes.
std::string start_of_npy(DType dtype, const Shape& shape);
/// Throws Error(data) for a ZIP archive without arrays, and says what it is.
std::unique_ptr<Source> open_npz(std::unique_ptr<ByteInput> input);
/// What to do with a file of torch.save.
std::string how_to_convert_torch(const std::string& path);
std::unique_ptr<Source> open_safetensors(std::unique_ptr<ByteInput> input);
/// Does the input begin with the signature of PNG or JPEG?
bool looks_like_picture(std::string_view head) noexcept;
/// Throws Error(data) for pictures and films of other kinds, which it names.
void refuse_other_pictures(std::string_view head, const std::string& label);
std::unique_ptr<Source> open_picture(std::unique_ptr<ByteInput> input);
/// Does the input begin as Matrix Market files do?
bool looks_like_matrix_market(std::string_view head);
std::unique_ptr<Source> open_matrix_market(std::unique_ptr<ByteInput> input);
std::unique_ptr<Source> open_table(std::unique_ptr<ByteInput> input, const InputOptions& options);

std::unique_ptr<Sink> hdf5_sink(std::unique_ptr<ByteOutput> output, const Hdf5Storage& storage);
std::unique_ptr<Sink> npy_sink(std::unique_ptr<ByteOutput> output);
std::unique_ptr<Sink> npz_sink(std::unique_ptr<ByteOutput> output);
std::unique_ptr<Sink> safetensors_sink(std::unique_ptr<ByteOutput> output);
std::unique_ptr<Sink> table_sink(std::unique_ptr<ByteOutput> output, Format format, const OutputOptions& options);
/// A JSON object in each line: element i of every tensor along its first axis, under the name of the tensor, or of its
/// column where a matrix has names for them. Numbers that are not finite are null.
std::unique_ptr<Sink> json_lines_sink(std::unique_ptr<ByteOutput> output, const OutputOptions& options);

/// Throws Error(input) for a file that cannot be read.
bool is_hdf5_file(const std::string& path);
/// Adds datasets to the HDF5 file `path`, which is replaced as a whole when all are there, or made.
std::unique_ptr<Sink> hdf5_append_sink(const std::string& path, const OutputOptions& options);

}  // namespace attn::io
