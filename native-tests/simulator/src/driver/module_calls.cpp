// Modules: what NVRTC or a file gave, loaded.
#include <fstream>
#include <iterator>

#include "current.h"
#include "device.h"
#include "entry.h"
#include "memory_map.h"
#include "module.h"
#include "registry.h"

using namespace sim;

// The map must forget its variables before the code goes.
ContextModule::~ContextModule() {
  for (void* place : globals) memoryMap().take(place, MemoryKind::global);
}

static void load(CUmodule* module, const void* image) {
  requireValue(module && image, "null");
  Fault fault;
  auto code = loadModule(image, fault);
  if (!code) fail(static_cast<CUresult>(fault.code ? fault.code : CUDA_ERROR_INVALID_IMAGE), fault.message);
  auto loaded = std::make_shared<ContextModule>();
  loaded->context = current();
  loaded->code = std::move(code);
  *module = registry().modules.add(std::move(loaded));
}

SIM_EXPORT CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return entry("cuModuleLoadData", kWell | kOutsideCapture, [&] { load(module, image); });
}

// The options steer a compiler that is not there.
SIM_EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, int*, void**) {
  return entry("cuModuleLoadDataEx", kWell | kOutsideCapture, [&] { load(module, image); });
}

SIM_EXPORT CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return entry("cuModuleLoadFatBinary", kWell | kOutsideCapture, [&] { load(module, image); });
}

SIM_EXPORT CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return entry("cuModuleLoad", kWell | kOutsideCapture, [&] {
    requireValue(path != nullptr, "null path");
    std::ifstream file(path, std::ios::binary);
    require(file.good(), CUDA_ERROR_FILE_NOT_FOUND);
    std::string image{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    load(module, image.c_str());
  });
}

SIM_EXPORT CUresult cuModuleUnload(CUmodule module) {
  return entry("cuModuleUnload", kWell | kOutsideCapture, [&] {
    auto loaded = registry().modules.at(module);
    loaded->context->drain();
    registry().modules.remove(module);
    registry().functions.removeIf([&](auto& function) { return function.module == loaded; });
    loaded->context->requireAlive();
  });
}

SIM_EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return entry("cuModuleGetFunction", kWell, [&] {
    requireValue(function && name, "null");
    auto loaded = registry().modules.at(module);
    std::lock_guard<std::mutex> lock(loaded->mutex);
    CUfunction& known = loaded->functions[name];
    if (!known) {
      Kernel* kernel = loaded->code->find(name);
      if (!kernel) loaded->functions.erase(name);
      require(kernel != nullptr, CUDA_ERROR_NOT_FOUND, name);
      auto fresh = std::make_shared<Function>();
      fresh->module = loaded;
      fresh->kernel = kernel;
      fresh->dynamicSharedLimit = kSharedBytesByDefault;
      known = registry().functions.add(std::move(fresh));
    }
    *function = known;
  });
}

SIM_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return entry("cuModuleGetGlobal", kWell, [&] {
    requireValue(name != nullptr, "null name");
    void* place = nullptr;
    size_t length = 0;
    auto loaded = registry().modules.at(module);
    std::lock_guard<std::mutex> lock(loaded->mutex);
    Fault fault = loaded->code->global(name, &place, &length);
    if (fault.code) fail(static_cast<CUresult>(fault.code), fault.message);
    if (loaded->globals.insert(place).second) {
      memoryMap().add({static_cast<char*>(place), length, MemoryKind::global, loaded->context->device.ordinal});
    }
    if (address) *address = reinterpret_cast<CUdeviceptr>(place);
    if (bytes) *bytes = length;
  });
}

SIM_EXPORT CUresult cuModuleGetLoadingMode(int* mode) {
  return entry("cuModuleGetLoadingMode", kInitialized, [&] { *mode = 1; });  // eager
}
