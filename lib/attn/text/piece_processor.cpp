#include <attn/core/error.hpp>
#include <attn/text/piece_processor.hpp>

#include <dlfcn.h>

namespace attn::text {
namespace {

constexpr const char* module_name = "libattn-sentencepiece.so";

/// The module beside the program or the shared library, as it is built and installed, else where the system looks for
/// libraries. Stays loaded.
LoadPieces open_module() {
  void* module = nullptr;
  for (const std::string& folder : {std::string(ATTN_MODULES) + "/", std::string()})
    if (module == nullptr) module = dlopen((folder + module_name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    const char* const why = dlerror();
    throw Error(ErrorKind::helper, module_name,
                std::string("reads models of sentencepiece and cannot be loaded: ") + why,
                "install it with the tools, and libsentencepiece; or name its folder in LD_LIBRARY_PATH");
  }
  return reinterpret_cast<LoadPieces>(dlsym(module, load_pieces_name));
}

}  // namespace

std::shared_ptr<const PieceProcessor> load_pieces(std::string_view model, const std::string& name) {
  static const LoadPieces load = open_module();
  if (model.empty()) throw Error(ErrorKind::input, name, "is empty");
  std::shared_ptr<const PieceProcessor> processor(load(model.data(), model.size()));
  if (processor == nullptr) throw Error(ErrorKind::data, name, "is not a sentencepiece model, or a damaged one");
  return processor;
}

}  // namespace attn::text
