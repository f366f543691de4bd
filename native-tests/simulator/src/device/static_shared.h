// Where the static `__shared__` variables of a compiled module lie. They are thread-local variables of the OS thread
// that runs the block, named by the compiler after the function they belong to.
#pragma once
#include <string>
#include <vector>

#include "device/elf_image.h"

namespace sim::device {

constexpr size_t kMaxStaticShared = 48 << 10;
constexpr const char* kSharedAnchor = "cairn_sim_anchor";
constexpr const char* kSharedPointer = "cairn_sim_pointer_";  // begins the names of pointers to dynamic shared memory

// How the compiler begins the names of a function's own variables.
inline std::string ownedPrefix(const std::string& function) {
  const bool mangled = function.rfind("_Z", 0) == 0;
  return mangled ? "_ZZ" + function.substr(2) + "E" : "_ZZ" + std::to_string(function.size()) + function + "E";
}

inline bool isOwnedBy(const ElfSymbol& symbol, const std::string& function) {
  return symbol.threadLocal && symbol.name.rfind(ownedPrefix(function), 0) == 0;
}

// The static shared memory that a kernel itself declares.
inline size_t staticSharedBytes(const std::vector<ElfSymbol>& symbols, const std::string& kernel) {
  size_t bytes = 0;
  for (const ElfSymbol& symbol : symbols) bytes += isOwnedBy(symbol, kernel) ? symbol.bytes : 0;
  return bytes;
}

}  // namespace sim::device
