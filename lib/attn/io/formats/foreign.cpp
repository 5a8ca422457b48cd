#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/io/formats/foreign.hpp>
#include <attn/io/output.hpp>
#include <attn/io/table/parser.hpp>

#include <algorithm>
#include <utility>

namespace attn::io {
namespace {

using namespace std::string_view_literals;

struct Other {
  std::string_view signature;
  const char* is;
  const char* fix;
};

constexpr const char* convert = "convert it to HDF5, NPY or CSV";
constexpr const char* from_model = "take the model's safetensors files";
constexpr const char* to_netcdf4 = "write it as netCDF-4, as in nccopy -k nc4 FILE NEW.nc";
constexpr const char* from_r = "write a table with write.csv, or arrays with rhdf5";

constexpr Other others[] = {
    {"PK\x03\x04"sv, "is a ZIP archive, as .npz, .xlsx and .pt files are",
     "unzip an .npz file and name one of its .npy files; save anything else as HDF5, NPY or CSV"},
    {"PAR1"sv, "is a Parquet file", convert},
    {"ARROW1"sv, "is an Arrow (Feather) file", convert},
    {"FEA1"sv, "is a Feather file", convert},
    {"SQLite format 3\0"sv, "is an SQLite database", "write a table as CSV, as sqlite3 -header -csv FILE QUERY does"},
    {"\xd0\xcf\x11\xe0"sv, "is an old Office file, as .xls files are", "save the sheet as CSV"},
    {"Obj\x01"sv, "is an Avro file", convert},
    {"ORC"sv, "is an ORC file", convert},
    {"BZh"sv, "is compressed by bzip2", "expand it, as in bzip2 -dc FILE | TOOL"},
    {"\xfd\x37zXZ\0"sv, "is compressed by xz", "expand it, as in xz -dc FILE | TOOL"},
    {"\x28\xb5\x2f\xfd"sv, "is compressed by zstd", "expand it, as in zstd -dc FILE | TOOL"},
    {"\x80\x02"sv, "is a Python pickle", "save the array, as in numpy.save(FILE, a)"},
    {"\x80\x03"sv, "is a Python pickle", "save the array, as in numpy.save(FILE, a)"},
    {"\x80\x04"sv, "is a Python pickle", "save the array, as in numpy.save(FILE, a)"},
    {"\x80\x05"sv, "is a Python pickle", "save the array, as in numpy.save(FILE, a)"},
    {"MATLAB 5.0 MAT-file"sv, "is a MATLAB file older than version 7.3",
     "write it with save -v7.3, or numpy.save what scipy.io.loadmat reads"},
    {"CDF\x01"sv, "is a netCDF-3 file", to_netcdf4},
    {"CDF\x02"sv, "is a netCDF-3 file", to_netcdf4},
    {"CDF\x05"sv, "is a netCDF-3 file", to_netcdf4},
    {"\x0e\x03\x13\x01"sv, "is an HDF4 file", "write it as HDF5, as in h4toh5convert FILE NEW.h5"},
    {"SIMPLE  ="sv, "is a FITS file", "numpy.save what astropy.io.fits.getdata reads"},
    {"GRIB"sv, "is a GRIB file", "write it as netCDF-4, as in cdo -f nc4 copy FILE NEW.nc"},
    {"GGUF"sv, "is a GGUF file", from_model},
    {"\x08\x06\x12"sv, "is an ONNX model", from_model},
    {"\x08\x07\x12"sv, "is an ONNX model", from_model},
    {"\x08\x08\x12"sv, "is an ONNX model", from_model},
    {"\x08\x09\x12"sv, "is an ONNX model", from_model},
    {"\x08\x0a\x12"sv, "is an ONNX model", from_model},
    {"RDX2\n"sv, "is an R workspace", from_r},
    {"RDX3\n"sv, "is an R workspace", from_r},
    {"X\n\0\0\0"sv, "is an R object, as .rds files are", from_r},
    {"7z\xbc\xaf\x27\x1c"sv, "is a 7-Zip archive", "unpack it and name one of its files"},
    {"%PDF-"sv, "is a PDF document", "save its tables as CSV"},
    {"version https://git-lfs.github.com/spec/"sv, "is a Git LFS pointer and not the file itself",
     "fetch the file with git lfs pull"},
};

bool begins_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// In any case; `start` is in small letters.
bool begins_with_word(std::string_view text, std::string_view start) {
  return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) {
           return a == b || (b >= 'A' && b <= 'Z' && a == b - 'A' + 'a');
         });
}

/// A list or an object, as no cell without quotes begins.
bool looks_like_json(std::string_view text) {
  const auto after_blanks = [](std::string_view rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    return rest;
  };
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  const std::string_view next = after_blanks(text.substr(1));
  const std::string_view begins = text.front() == '{' ? "\"}" : "\"{[]-0123456789";
  return !next.empty() && begins.find(next.front()) != std::string_view::npos;
}

/// The encoding of text that is not UTF-8, by its mark or by the zero bytes of its first characters; else null.
const char* wide_encoding(std::string_view start) {
  const std::string_view two = start.substr(0, 2), four = start.substr(0, 4);
  if (four == "\xff\xfe\0\0"sv || four == "\0\0\xfe\xff"sv) return "UTF-32";
  if (two == "\xff\xfe" || two == "\xfe\xff") return "UTF-16";
  if (four.size() < 4 || start.find('\n') == start.npos) return nullptr;
  const auto is_zero = [four](std::size_t i) { return four[i] == 0; };
  if (is_zero(1) && is_zero(3) && !is_zero(0) && !is_zero(2)) return "UTF-16LE";
  if (is_zero(0) && is_zero(2) && !is_zero(1) && !is_zero(3)) return "UTF-16BE";
  return nullptr;
}

/// The format of a suffix, if it is not text.
const char* promised_by(const std::string& path) {
  constexpr std::pair<std::string_view, const char*> names[] = {
      {".nc", "an HDF5 file"},  {".hdf", "an HDF5 file"}, {".he5", "an HDF5 file"}, {".h5ad", "an HDF5 file"},
      {".mat", "an HDF5 file"}, {".png", "a picture"},    {".jpg", "a picture"},    {".jpeg", "a picture"}};
  for (const auto& [suffix, what] : names)
    if (path.size() > suffix.size() && ends_with(path, suffix)) return what;
  switch (format_from_path(path).value_or(Format::csv)) {
    case Format::hdf5: return "an HDF5 file";
    case Format::npy: return "an NPY file";
    case Format::safetensors: return "a safetensors file";
    case Format::csv:
    case Format::tsv: break;
  }
  return nullptr;
}

}  // namespace

void expect_table(ByteInput& input, const std::string& path) {
  const char* const promised = promised_by(path);
  const auto refuse = [&](const std::string& what, const std::string& fix) {
    throw Error(ErrorKind::data, input.label(),
                what + (promised == nullptr ? "" : std::string(", and not ") + promised + " as its name says"), fix);
  };
  std::string_view start = input.peek(4096);
  for (const Other& other : others)
    if (begins_with(start, other.signature)) refuse(other.is, other.fix);
  constexpr std::size_t mark_of_tar = 257;  // offset in the header of the first file
  if (start.size() > mark_of_tar && begins_with(start.substr(mark_of_tar), "ustar"))
    refuse("is a tar archive", "unpack it and name one of its files");
  if (const char* const encoding = wide_encoding(start))
    refuse(std::string("begins as text in ") + encoding + " does, expected UTF-8",
           std::string("convert it, for example with iconv -f ") + encoding + " -t UTF-8");
  constexpr const char* unknown = "is neither HDF5, NPY, safetensors nor text";
  const bool is_binary =
      start.find('\0') != std::string_view::npos || (promised != nullptr && find_invalid_utf8(start));
  if (is_binary) throw Error(ErrorKind::data, input.label(), unknown);
  if (begins_with(start, byte_order_mark)) start.remove_prefix(byte_order_mark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  if (begins_with_word(start, "<!doctype html") || begins_with_word(start, "<html") ||
      begins_with_word(start, "<table") || begins_with_word(start, "<?xml"))
    refuse("is a page of HTML or XML", "look into it: a download may have failed; save a table in it as CSV");
  if (looks_like_json(start)) refuse("is JSON", "write it as CSV, a line for each row");
  if (promised != nullptr) refuse("is text", "look into it: a download may have failed; if it is a table, rename it");
}

}  // namespace attn::io
