// A compiled module in this process: what cuModuleLoadData makes of an image.
#pragma once
#include <map>

#include "device/elf_image.h"
#include "device/grid.h"
#include "device/race_check.h"
#include "driver/grid_runner.h"

namespace sim::device {

class CompiledKernel;

class CompiledModule : public Module {
 public:
  // An image in the form of a shared library; null with a fault when it is none of ours.
  static std::unique_ptr<Module> load(const ElfImage& image, const char* bytes, Fault& fault);

  ~CompiledModule() override;
  Kernel* find(const std::string& name) override;
  Fault global(const std::string& name, void** address, size_t* bytes) override;

 private:
  CompiledModule(void* handle, int file, const CairnModule* table) : handle_(handle), file_(file), table_(table) {}
  void readLayout(const ElfImage& image);
  std::vector<SharedRange> staticSharedOf(const std::string& kernel) const;

  void* handle_;
  int file_;  // kept open: dlopen knows a library by its name, and a name with a reused number would be another's
  const CairnModule* table_;
  std::vector<ElfSymbol> shared_;
  size_t anchorOffset_ = 0;
  std::vector<MemoryRange> variables_;
  std::map<std::string, std::unique_ptr<CompiledKernel>> kernels_;
};

// One kernel of a module.
class CompiledKernel : public Kernel {
 public:
  CompiledKernel(std::string name, GridProgram program, const std::vector<MemoryRange>& variables);
  const std::string& name() const override { return name_; }
  const std::vector<size_t>& parameterSizes() const override { return parameterSizes_; }
  unsigned maxThreads() const override;
  size_t staticSharedBytes() const override;
  Fault check(const LaunchShape& shape) const override;
  Fault run(const LaunchShape& shape, void* const* arguments) override;

 private:
  std::string name_;
  std::vector<size_t> parameterSizes_;
  GridProgram program_;
  const std::vector<MemoryRange>& variables_;
};

}  // namespace sim::device
