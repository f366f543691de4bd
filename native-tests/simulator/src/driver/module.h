// Loaded modules and their kernels, as handles stand for them.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "context.h"
#include "grid_runner.h"

namespace sim {

struct ContextModule {
  ContextPointer context;
  std::unique_ptr<Module> code;
  std::mutex mutex;
  std::map<std::string, CUfunction> functions;  // one handle for each name
  std::set<void*> globals;                      // variables that were asked for, and so are in the memory map

  ~ContextModule();
};

struct Function {
  std::shared_ptr<ContextModule> module;  // keeps the code loaded while a graph still holds the function
  Kernel* kernel;
  std::atomic<int> dynamicSharedLimit;
};

constexpr int kSharedBytesByDefault = 48 << 10;
constexpr int kSharedBytesAtMost = 227 << 10;  // as on an H100, when asked for by cuFuncSetAttribute

}  // namespace sim
