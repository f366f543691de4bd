#include "host_function.h"

#include "entry.h"

namespace sim {

Fault HostWork::run(Stream&) const {
  InsideHostFunction inside;
  call.fn(call.userData);
  return {};
}

void CallbackWork::settle(CUresult status) const {
  InsideHostFunction inside;
  callback(handle, status, data);
}

}  // namespace sim
