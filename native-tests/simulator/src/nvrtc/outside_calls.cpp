#include "nvrtc/outside_calls.h"

#include <dlfcn.h>

#include <cstring>

#include "device/elf_image.h"

namespace sim {
namespace {

// What the compiler itself calls: copies, thread-local variables, the check of a stack.
bool isCompilers(const std::string& name) {
  for (const char* known : {"memcpy", "memmove", "memset", "memcmp", "__tls_get_addr", "__stack_chk_fail"}) {
    if (name == known) return true;
  }
  return false;
}

bool isMath(const std::string& name) {
  static void* const library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  void* const function = library == nullptr ? nullptr : dlsym(library, name.c_str());
  Dl_info info;
  return function != nullptr && dladdr(function, &info) != 0 && strstr(info.dli_fname, "libm.so") != nullptr;
}

}  // namespace

std::string outsideCalls(const std::string& module) {
  std::string text;
  for (const device::ElfSymbol& symbol : device::ElfImage(module.data()).symbols()) {
    const std::string name = symbol.name.substr(0, symbol.name.find('@'));
    if (!symbol.undefined || name.empty() || isCompilers(name) || isMath(name)) continue;
    text += "ptxas fatal   : Unresolved extern function '" + name + "'\n";
  }
  return text;
}

}  // namespace sim
