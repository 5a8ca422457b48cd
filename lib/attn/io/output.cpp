#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/formats/formats.hpp>
#include <attn/io/output.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace attn::io {
namespace {

struct FormatName {
  Format format;
  const char* name;
};
constexpr const char* jsonl_suffix = "jsonl";
constexpr FormatName format_names[] = {{Format::hdf5, "h5"},
                                       {Format::hdf5, "hdf5"},
                                       {Format::csv, "csv"},
                                       {Format::tsv, "tsv"},
                                       {Format::npy, "npy"},
                                       {Format::npz, "npz"},
                                       {Format::safetensors, "safetensors"},
                                       {Format::jsonl, jsonl_suffix}};

/// Suffixes of formats that are not written, where HDF5 would surprise.
constexpr std::string_view other_suffixes[] = {
    "arrow", "avro", "bmp",  "bz2", "db",    "dta",  "eps",  "feather", "gguf",    "gif", "html",   "jpeg",
    "jpg",   "json", "md",   "mat", "mtx",   "ods",  "onnx", "orc",     "parquet", "pdf", "pickle", "pkl",
    "png",   "pt",   "pth",  "rda", "rdata", "rds",  "sav",  "sqlite",  "svg",     "tar", "tif",    "tiff",
    "txt",   "xls",  "xlsx", "xml", "xz",    "yaml", "yml",  "zarr",    "zip",     "zst"};

/// In lower case; empty if there is none.
std::string suffix_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : lower_case(path.substr(dot + 1));
}

bool has_other_suffix(const std::string& path) {
  return std::find(std::begin(other_suffixes), std::end(other_suffixes), suffix_of(path)) != std::end(other_suffixes);
}

void expect_written(const std::string& path) {
  if (has_other_suffix(path))
    throw Error(ErrorKind::usage, path, "has the suffix of a format that cannot be written",
                "end it in .h5, .csv, .tsv, .npy, .npz or .safetensors, or give -O");
}

}  // namespace

Format format_from_name(const std::string& name) {
  for (const FormatName& entry : format_names)
    if (lower_case(name) == entry.name) return entry.format;
  throw Error(ErrorKind::usage, "format '" + name + "'", "is not known",
              "known are " + listed(format_names, ", ", [](const FormatName& entry) { return entry.name; }));
}

std::optional<Format> format_from_path(const std::string& path) {
  const std::string suffix = suffix_of(path);
  for (const FormatName& entry : format_names)
    if (entry.format != Format::jsonl && suffix == entry.name) return entry.format;
  return std::nullopt;
}

Format format_for_tensors(const std::string& path) {
  if (suffix_of(path) == jsonl_suffix) return Format::jsonl;
  return format_from_path(path).value_or(Format::hdf5);
}

void expect_uncompressed(const std::string& path) {
  constexpr std::string_view gzip_suffix = ".gz";
  if (path.size() > gzip_suffix.size() && ends_with(path, gzip_suffix))
    throw Error(ErrorKind::usage, path, "would not be compressed: outputs never are",
                "write to standard output, tensors with -O, and from there through gzip");
}

std::string note_on_redirection(const std::string& path, const OutputOptions& options) {
  const std::optional<int> descriptor = place_of_output(path).descriptor;
  if (options.format || !descriptor) return {};
  const std::string file = file_of_descriptor(*descriptor);
  const std::optional<Format> promised = format_from_path(file);
  if (promised ? *promised == Format::hdf5 : !has_other_suffix(file)) return {};
  return file + ", which the shell has opened, gets HDF5; -O " +
         (promised ? suffix_of(file) + " writes what its name says" : "csv writes text");
}

std::unique_ptr<Sink> create_sink(const std::string& path, const OutputOptions& options) {
  expect_uncompressed(path);
  if (!options.format) expect_written(path);
  const Format format = options.format.value_or(format_for_tensors(path));
  if (options.append) {
    if (format != Format::hdf5 || place_of_output(path).descriptor)
      throw Error(ErrorKind::usage, path == "-" ? "standard output" : path, "cannot be appended to",
                  "only HDF5 files can be appended to");
    return hdf5_append_sink(path, options);
  }
  if (options.keeps_rest && format == Format::hdf5 && is_hdf5_file(path)) {
    if (options.overwrite) return hdf5_append_sink(path, options);
    throw Error(ErrorKind::create, path, "exists", "-A adds a dataset to it, and -f replaces one");
  }
  auto output = std::make_unique<ByteOutput>(path, options.overwrite);
  if (format != Format::csv && format != Format::tsv) output->watch(options.progress);
  switch (format) {
    case Format::hdf5: return hdf5_sink(std::move(output), options.storage);
    case Format::npy: return npy_sink(std::move(output));
    case Format::npz: return npz_sink(std::move(output));
    case Format::safetensors: return safetensors_sink(std::move(output));
    case Format::jsonl: return json_lines_sink(std::move(output), options);
    case Format::csv:
    case Format::tsv: break;
  }
  return table_sink(std::move(output), format, options);
}

}  // namespace attn::io
