#include "settings.h"

#include <cstdlib>

namespace sim {

static std::string text(const char* name, const char* otherwise) {
  const char* value = getenv(name);
  return value && *value ? value : otherwise;
}

static size_t number(const char* name, size_t otherwise) {
  const char* value = getenv(name);
  if (!value || !*value) return otherwise;
  char* end = nullptr;
  size_t n = strtoull(value, &end, 0);
  switch (*end) {
    case 'K': case 'k': return n << 10;
    case 'M': case 'm': return n << 20;
    case 'G': case 'g': return n << 30;
    default: return n;
  }
}

const Settings& settings() {
  static const Settings& read = *new Settings{
      number("CAIRN_SIM_MEMORY", size_t{1} << 30) & ~size_t{511},
      static_cast<int>(number("CAIRN_SIM_DEVICES", 1)),
      number("CAIRN_SIM_PEERS", 1) != 0,
      static_cast<int>(number("CAIRN_SIM_VERSION", 12060)),
      number("CAIRN_SIM_POISON", 1) != 0,
      static_cast<unsigned>(number("CAIRN_SIM_LATE", 0)),
      text("CAIRN_SIM_TRACE", ""),
      text("CAIRN_SIM_FAIL", "")};
  return read;
}

}  // namespace sim
