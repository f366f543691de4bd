// Devices and their primary contexts.
#include <cstdio>
#include <cstring>

#include "device.h"
#include "entry.h"
#include "settings.h"

using namespace sim;

SIM_EXPORT CUresult cuDeviceGetCount(int* count) {
  return entry("cuDeviceGetCount", kInitialized, [&] { *count = settings().devices; });
}

SIM_EXPORT CUresult cuDeviceGet(CUdevice* answer, int ordinal) {
  return entry("cuDeviceGet", kInitialized, [&] { *answer = deviceOf(ordinal).ordinal; });
}

SIM_EXPORT CUresult cuDeviceGetName(char* name, int length, CUdevice ordinal) {
  return entry("cuDeviceGetName", kInitialized, [&] {
    deviceOf(ordinal);
    requireValue(name && length > 0, "no place for the name");
    snprintf(name, static_cast<size_t>(length), "Cairn simulated GPU");
  });
}

SIM_EXPORT CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice ordinal) {
  return entry("cuDeviceGetUuid", kInitialized, [&] {
    memset(uuid->bytes, 0xCA, sizeof uuid->bytes);
    uuid->bytes[15] = static_cast<unsigned char>(deviceOf(ordinal).ordinal);
  });
}

SIM_EXPORT CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice ordinal) {
  return entry("cuDeviceTotalMem", kInitialized, [&] { *bytes = deviceOf(ordinal).totalBytes(); });
}

SIM_EXPORT CUresult cuDeviceGetAttribute(int* value, int number, CUdevice ordinal) {
  return entry("cuDeviceGetAttribute", kInitialized, [&] {
    deviceOf(ordinal);
    requireValue(number > 0 && number < 200, "no such attribute");
    *value = number == 34 ? ordinal : attribute(number);  // 34: the device's number on its PCI bus
  });
}

SIM_EXPORT CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice ordinal) {
  return entry("cuDeviceComputeCapability", kInitialized, [&] {
    deviceOf(ordinal);
    *major = attribute(75);
    *minor = attribute(76);
  });
}

SIM_EXPORT CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice ordinal) {
  return entry("cuDeviceGetProperties", kInitialized, [&] {
    deviceOf(ordinal);
    *properties = {attribute(1), {attribute(2), attribute(3), attribute(4)}, {attribute(5), attribute(6), attribute(7)},
                   attribute(8), attribute(9), attribute(10), attribute(11), attribute(12), attribute(13),
                   attribute(14)};
  });
}

SIM_EXPORT CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice ordinal) {
  return entry("cuDeviceGetPCIBusId", kInitialized, [&] {
    deviceOf(ordinal);
    requireValue(id && length >= 13, "no place for the id");
    snprintf(id, static_cast<size_t>(length), "0000:01:%02x.0", static_cast<unsigned>(ordinal) & 0xff);
  });
}

SIM_EXPORT CUresult cuDeviceGetByPCIBusId(CUdevice* answer, const char* id) {
  return entry("cuDeviceGetByPCIBusId", kInitialized, [&] {
    unsigned domain = 0, bus = 0, number = 0;
    requireValue(id && sscanf(id, "%x:%x:%x", &domain, &bus, &number) == 3, "not an id of PCI");
    require(domain == 0 && bus == 1, CUDA_ERROR_INVALID_DEVICE);
    *answer = deviceOf(static_cast<int>(number)).ordinal;
  });
}

SIM_EXPORT CUresult cuDeviceCanAccessPeer(int* can, CUdevice one, CUdevice other) {
  return entry("cuDeviceCanAccessPeer", kInitialized, [&] {
    *can = settings().peers && deviceOf(one).ordinal != deviceOf(other).ordinal;
  });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice ordinal) {
  return entry("cuDevicePrimaryCtxRetain", kInitialized, [&] { *context = deviceOf(ordinal).retainPrimary(); });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice ordinal) {
  return entry("cuDevicePrimaryCtxRelease", kInitialized, [&] { deviceOf(ordinal).releasePrimary(); });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice ordinal) {
  return entry("cuDevicePrimaryCtxReset", kInitialized, [&] { deviceOf(ordinal).resetPrimary(); });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice ordinal, unsigned* flags, int* active) {
  return entry("cuDevicePrimaryCtxGetState", kInitialized, [&] {
    *flags = deviceOf(ordinal).primaryFlags();
    *active = deviceOf(ordinal).primaryActive();
  });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice ordinal, unsigned flags) {
  return entry("cuDevicePrimaryCtxSetFlags", kInitialized, [&] { deviceOf(ordinal).setPrimaryFlags(flags); });
}
