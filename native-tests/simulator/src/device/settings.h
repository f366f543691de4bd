// What the environment asks of the device; read once.
#pragma once
#include <string>

#include "device/order.h"

namespace sim::device {

struct DeviceSettings {
  Order order;
  bool checksRaces = false;    // CAIRN_SIM_ORDER=check
  unsigned timeoutSeconds = 60;  // CAIRN_SIM_TIMEOUT
  std::string mistake;         // what the environment says that we don't understand; every launch fails with it
};

const DeviceSettings& deviceSettings();

}  // namespace sim::device
