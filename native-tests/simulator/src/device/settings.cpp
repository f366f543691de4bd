#include "device/settings.h"

#include <cstdlib>

namespace sim::device {
namespace {

bool parseNumber(const std::string& text, uint64_t& value) {
  char* end = nullptr;
  value = strtoull(text.c_str(), &end, 0);
  return !text.empty() && *end == '\0';
}

void readOrder(DeviceSettings& settings) {
  const char* given = getenv("CAIRN_SIM_ORDER");
  const std::string text = given == nullptr || *given == '\0' ? "forward" : given;
  if (text == "forward") return;
  if (text == "reverse") {
    settings.order.kind = Order::Kind::Reverse;
  } else if (text == "check") {
    settings.checksRaces = true;
  } else if (text.rfind("random:", 0) == 0 && parseNumber(text.substr(7), settings.order.seed)) {
    settings.order.kind = Order::Kind::Random;
  } else {
    settings.mistake = "CAIRN_SIM_ORDER is not forward, reverse, random:SEED or check: value=" + text;
  }
}

DeviceSettings read() {
  DeviceSettings settings;
  readOrder(settings);
  uint64_t seconds;
  const char* timeout = getenv("CAIRN_SIM_TIMEOUT");
  if (timeout != nullptr && parseNumber(timeout, seconds)) {
    settings.timeoutSeconds = static_cast<unsigned>(seconds);
  } else if (timeout != nullptr) {
    settings.mistake = std::string("CAIRN_SIM_TIMEOUT is not a number of seconds: value=") + timeout;
  }
  return settings;
}

}  // namespace

const DeviceSettings& deviceSettings() {
  static const DeviceSettings settings = read();
  return settings;
}

}  // namespace sim::device
