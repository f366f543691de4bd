#include "device/compiled_module.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/static_shared.h"

namespace sim::device {
namespace {

bool writeAll(int file, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(file, bytes, count);
    if (written <= 0) return false;
    bytes += written;
    count -= static_cast<size_t>(written);
  }
  return true;
}

}  // namespace

// A copy in memory, not the file itself: loaded twice, a library must have its variables twice.
std::unique_ptr<Module> CompiledModule::load(const ElfImage& image, const char* bytes, Fault& fault) {
  const int file = memfd_create("cairn-sim-module", MFD_CLOEXEC);
  if (file < 0 || !writeAll(file, bytes, image.size())) {
    if (file >= 0) close(file);
    fault = {2, "no memory for a module: bytes=" + std::to_string(image.size())};
    return nullptr;
  }
  void* handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    fault = {200, std::string("the image can't be loaded: ") + dlerror()};
    close(file);
    return nullptr;
  }
  const auto* table = static_cast<const CairnModule*>(dlsym(handle, "cairn_sim_module"));
  if (table == nullptr || table->magic != CAIRN_MODULE_MAGIC || table->version != CAIRN_MODULE_VERSION) {
    fault = {200, "the image was not made by this simulator's NVRTC"};
    dlclose(handle);
    close(file);
    return nullptr;
  }
  std::unique_ptr<CompiledModule> module(new CompiledModule(handle, file, table));
  module->readLayout(image);
  return module;
}

CompiledModule::~CompiledModule() {
  kernels_.clear();
  dlclose(handle_);
  close(file_);
}

void CompiledModule::readLayout(const ElfImage& image) {
  for (ElfSymbol& symbol : image.symbols()) {
    if (!symbol.threadLocal) continue;
    if (symbol.name == kSharedAnchor) {
      anchorOffset_ = symbol.value;
    } else if (symbol.name.rfind(kSharedPointer, 0) != 0) {
      shared_.push_back(std::move(symbol));
    }
  }
  link_map* map = nullptr;
  dlinfo(handle_, RTLD_DI_LINKMAP, &map);
  size_t readOnlyEnd = 0;
  for (const Elf64_Phdr& segment : image.segments()) {
    if (segment.p_type == PT_GNU_RELRO) readOnlyEnd = segment.p_vaddr + segment.p_memsz;
  }
  for (const Elf64_Phdr& segment : image.segments()) {
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
    const size_t begin = std::max(segment.p_vaddr, static_cast<Elf64_Addr>(readOnlyEnd));
    const size_t end = segment.p_vaddr + segment.p_memsz;
    if (begin < end) variables_.push_back({reinterpret_cast<char*>(map->l_addr + begin), end - begin});
  }
}

// A kernel's own variables, and those of functions that it may call.
std::vector<SharedRange> CompiledModule::staticSharedOf(const std::string& kernel) const {
  std::vector<SharedRange> ranges;
  for (const ElfSymbol& symbol : shared_) {
    bool others = false;
    for (const CairnKernelEntry* const* entry = table_->kernels; *entry != nullptr && !others; entry++) {
      Dl_info info;
      others = dladdr((*entry)->function, &info) != 0 && info.dli_sname != nullptr && kernel != info.dli_sname &&
               isOwnedBy(symbol, info.dli_sname);
    }
    if (others) continue;
    ranges.push_back({static_cast<ptrdiff_t>(symbol.value) - static_cast<ptrdiff_t>(anchorOffset_), symbol.bytes});
  }
  return ranges;
}

Kernel* CompiledModule::find(const std::string& name) {
  auto known = kernels_.find(name);
  if (known != kernels_.end()) return known->second.get();
  const void* function = dlsym(handle_, name.c_str());
  if (function == nullptr) return nullptr;
  for (const CairnKernelEntry* const* entry = table_->kernels; *entry != nullptr; entry++) {
    if ((*entry)->function != function) continue;
    GridProgram program = {*entry, table_->bindShared, staticSharedOf(name)};
    auto kernel = std::make_unique<CompiledKernel>(name, std::move(program), variables_);
    return (kernels_[name] = std::move(kernel)).get();
  }
  return nullptr;
}

Fault CompiledModule::global(const std::string& name, void** address, size_t* bytes) {
  void* found = dlsym(handle_, name.c_str());
  Dl_info info;
  ElfW(Sym)* symbol = nullptr;
  const bool known = found != nullptr && dladdr1(found, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) != 0;
  if (!known || symbol == nullptr || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || found == table_) {
    return {500, "no such variable in the module: name=" + name};
  }
  *address = found;
  *bytes = symbol->st_size;
  return {};
}

}  // namespace sim::device
