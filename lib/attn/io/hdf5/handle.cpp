#include <attn/core/error.hpp>
#include <attn/io/hdf5/handle.hpp>

#include <hdf5.h>

#include <cstring>

namespace attn::io::hdf5 {
namespace {

static_assert(std::is_same_v<hid_t, Id>, "identifiers are 64 bits since HDF5 1.10");

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

struct FloatLayout {
  std::size_t exponent_at, exponent_bits, mantissa_bits, bias;
};

bool has_layout(Id type, const FloatLayout& wanted) {
  std::size_t sign_at, exponent_at, exponent_bits, mantissa_at, mantissa_bits;
  if (H5Tget_fields(type, &sign_at, &exponent_at, &exponent_bits, &mantissa_at, &mantissa_bits) < 0) return false;
  return sign_at == exponent_at + exponent_bits && exponent_at == wanted.exponent_at && mantissa_at == 0 &&
         exponent_bits == wanted.exponent_bits && mantissa_bits == wanted.mantissa_bits &&
         H5Tget_ebias(type) == wanted.bias && H5Tget_offset(type) == 0;
}

bool float_element(Id type, ElementType& element) {
  const bool is_vax = H5Tget_order(type) == H5T_ORDER_VAX;
  if (!is_vax && element.width == 8 && has_layout(type, {52, 11, 52, 1023})) return element.dtype = DType::f64, true;
  if (!is_vax && element.width == 4 && has_layout(type, {23, 8, 23, 127})) return element.dtype = DType::f32, true;
  if (!is_vax && element.width == 2 && has_layout(type, {10, 5, 10, 15})) return element.dtype = DType::f16, true;
  if (!is_vax && element.width == 2 && has_layout(type, {7, 8, 7, 127})) return element.dtype = DType::bf16, true;
  element.dtype = DType::f64;
  element.storage = ElementType::Storage::converted;
  // Floats that use all bits of these widths are IEEE floats or damaged types.
  const bool has_usual_width = element.width == 2 || element.width == 4 || element.width == 8;
  return is_vax || !has_usual_width || H5Tget_precision(type) < element.width * 8;
}

bool integer_element(Id type, ElementType& element) {
  const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
  const bool is_plain = H5Tget_precision(type) == element.width * 8 && H5Tget_offset(type) == 0;
  element.dtype = is_signed ? DType::i64 : DType::u64;
  if (element.width == 4) element.dtype = is_signed ? DType::i32 : DType::u32;
  if (element.width == 2) element.dtype = is_signed ? DType::i16 : DType::u16;
  if (element.width == 1) element.dtype = is_signed ? DType::i8 : DType::u8;
  if (!is_plain || element_size(element.dtype) != element.width) element.storage = ElementType::Storage::converted;
  return element.width <= 8;
}

/// h5py stores booleans as an enumeration of one byte with the members FALSE and TRUE.
bool is_boolean_enumeration(Id type) {
  if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2) return false;
  for (unsigned i = 0; i < 2; ++i) {
    char* name = H5Tget_member_name(type, i);
    unsigned char value = 0xff;
    const bool known = name != nullptr && H5Tget_member_value(type, i, &value) >= 0 &&
                       std::strcmp(name, value == 1 ? "TRUE" : "FALSE") == 0 && value <= 1;
    H5free_memory(name);
    if (!known) return false;
  }
  return true;
}

/// Has it a member for what is missing too?
bool is_r_logical(Id type) {
  const auto has = [type](const char* name, double wanted) {
    const int member = H5Tget_member_index(type, name);
    std::int64_t value[2] = {};  // room for any integer
    const Handle base(H5Tget_super(type), H5Tclose);
    return member >= 0 && H5Tget_member_value(type, static_cast<unsigned>(member), value) >= 0 &&
           H5Tconvert(base, H5T_NATIVE_INT64, 1, value, nullptr, H5P_DEFAULT) >= 0 &&
           static_cast<double>(value[0]) == wanted;
  };
  return H5Tget_nmembers(type) == 3 && has("FALSE", 0) && has("TRUE", 1) && has("NA", r_missing_logical);
}

}  // namespace

Section::Section() : lock_(library_mutex()) {
  // A file that could not be closed (a full disk) would be closed once more at exit, and crash there.
  static const herr_t no_exit_handler = H5dont_atexit();
  static_cast<void>(no_exit_handler);
  // Every function would try to start the library again, and crash on what the first try left behind.
  static const bool is_open = H5open() >= 0;
  if (!is_open) throw Error(ErrorKind::memory, "HDF5", "the library could not start: memory is short");
  H5E_auto2_t function = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &function, &data_);
  function_ = reinterpret_cast<void*>(function);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Section::~Section() { H5Eset_auto2(H5E_DEFAULT, reinterpret_cast<H5E_auto2_t>(function_), data_); }

Handle inner_access(Id kind) {
  Handle access(H5Pcreate(kind), H5Pclose);
  const auto refuse = [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t {
    return -1;
  };
  H5Pset_elink_cb(access, refuse, nullptr);
  return access;
}

bool element_type(Id type, ElementType& element, std::string& what) {
  element = {};
  element.width = H5Tget_size(type);
  element.swap_bytes = H5Tget_order(type) == H5T_ORDER_BE;
  if (element.width == 0) return what = "an element of no bytes", false;
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      what = "a float of " + std::to_string(element.width) + " bytes whose fields are not those of IEEE 754";
      return float_element(type, element);
    case H5T_INTEGER: what = "an integer of more than 64 bits"; return integer_element(type, element);
    case H5T_STRING:
      element.dtype = DType::string;
      element.storage =
          H5Tis_variable_str(type) > 0 ? ElementType::Storage::variable_string : ElementType::Storage::fixed_string;
      return true;
    case H5T_ENUM: {
      if (is_boolean_enumeration(type)) return element.dtype = DType::boolean, true;
      const Handle base(H5Tget_super(type), H5Tclose);
      what = "an enumeration of more than 64 bits";
      if (!base || !integer_element(base, element)) return false;
      if (is_r_logical(type)) {
        element.dtype = DType::f64;
        element.storage = ElementType::Storage::converted;
      }
      return true;
    }
    case H5T_BITFIELD:
      what = "a bit field of other than 8, 16, 32 or 64 bits";
      return integer_element(type, element) && element.storage == ElementType::Storage::raw;
    case H5T_COMPOUND: what = "a record"; return false;
    case H5T_REFERENCE: what = "a reference"; return false;
    case H5T_VLEN: what = "a list of varying length"; return false;
    case H5T_ARRAY: what = "an array"; return false;
    default: what = "an opaque type"; return false;
  }
}

Handle stored_type(DType dtype) {
  const auto copy = [](Id type) { return Handle(H5Tcopy(type), H5Tclose); };
  switch (dtype) {
    case DType::f64: return copy(H5T_IEEE_F64LE);
    case DType::f32: return copy(H5T_IEEE_F32LE);
    case DType::i64: return copy(H5T_STD_I64LE);
    case DType::i32: return copy(H5T_STD_I32LE);
    case DType::i16: return copy(H5T_STD_I16LE);
    case DType::i8: return copy(H5T_STD_I8LE);
    case DType::u64: return copy(H5T_STD_U64LE);
    case DType::u32: return copy(H5T_STD_U32LE);
    case DType::u16: return copy(H5T_STD_U16LE);
    case DType::u8: return copy(H5T_STD_U8LE);
    case DType::string: return string_type();
    case DType::f16:
    case DType::bf16: {
      Handle type = copy(H5T_IEEE_F32LE);
      const std::size_t mantissa = dtype == DType::f16 ? 10 : 7;
      H5Tset_fields(type, 15, mantissa, 15 - mantissa, 0, mantissa);
      H5Tset_precision(type, 16);
      H5Tset_ebias(type, dtype == DType::f16 ? 15 : 127);
      H5Tset_size(type, 2);
      return type;
    }
    case DType::boolean: break;
  }
  Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
  const signed char no = 0, yes = 1;
  H5Tenum_insert(type, "FALSE", &no);
  H5Tenum_insert(type, "TRUE", &yes);
  return type;
}

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

bool is_ascii(const std::string& name) noexcept {
  for (const char c : name)
    if (static_cast<unsigned char>(c) > 0x7f) return false;
  return true;
}

std::string last_error() {
  std::string text;
  const auto visit = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    auto& line = *static_cast<std::string*>(out);
    if (line.empty() && error->desc != nullptr) line = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? "HDF5 gives no reason" : text;
}

}  // namespace attn::io::hdf5
