// Tells the forms of a module's image apart: a library of ours, a line that names one, or something for a real GPU.
#include <fstream>
#include <iterator>

#include "device/compiled_module.h"
#include "nvrtc/image_line.h"

namespace sim::device {
namespace {

constexpr unsigned kFatbinMagic = 0xba55ed50;

std::unique_ptr<Module> loadElf(const char* bytes, Fault& fault) {
  const ElfImage image(bytes);
  if (image.isOurs()) return CompiledModule::load(image, bytes, fault);
  fault = {209, "the image is code for a real GPU; the simulator runs only what its own NVRTC compiled"};
  return nullptr;
}

std::unique_ptr<Module> loadNamed(const std::string& path, Fault& fault) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() > sizeof(Elf64_Ehdr) && ElfImage(bytes.data()).isElf() &&
      ElfImage(bytes.data()).size() <= bytes.size()) {
    return loadElf(bytes.data(), fault);
  }
  fault = {218, "the compiled module is gone or damaged: path=" + path};
  return nullptr;
}

}  // namespace
}  // namespace sim::device

namespace sim {

std::unique_ptr<Module> loadModule(const void* image, Fault& fault) {
  using namespace device;
  fault = {};
  const char* bytes = static_cast<const char*>(image);
  if (bytes == nullptr) {
    fault = {1, "no image: null"};
    return nullptr;
  }
  if (strncmp(bytes, kImageLine, strlen(kImageLine)) == 0) {
    const char* path = bytes + strlen(kImageLine);
    return loadNamed(std::string(path, strcspn(path, "\n")), fault);
  }
  if (strncmp(bytes, ELFMAG, SELFMAG) == 0) return loadElf(bytes, fault);
  unsigned magic;
  memcpy(&magic, bytes, sizeof magic);
  if (magic == kFatbinMagic) {
    fault = {209, "the image is a fat binary for real GPUs; the simulator runs only what its own NVRTC compiled"};
  } else if (strncmp(bytes, "//", 2) == 0 || strncmp(bytes, ".version", 8) == 0) {
    fault = {218, "real PTX can't be simulated; the simulator runs only what its own NVRTC compiled"};
  } else {
    fault = {200, "the image is neither a module nor PTX"};
  }
  return nullptr;
}

}  // namespace sim
