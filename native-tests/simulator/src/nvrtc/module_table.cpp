#include "nvrtc/module_table.h"

#include "device/static_shared.h"
#include "shim/cairn_kernel_abi.h"

namespace sim {
namespace {

std::string addressOf(const std::string& expression) {
  const size_t begin = expression.find_first_not_of(" \t");
  const bool hasIt = begin != std::string::npos && expression[begin] == '&';
  return hasIt ? expression : "&" + expression;
}

std::string bindShared(const std::vector<std::string>& pointers) {
  std::string text = "static void* cairn_bind_shared(void* dynamicShared) {\n";
  for (const std::string& name : pointers) text += "  " + name + " = (decltype(" + name + "))dynamicShared;\n";
  return text + "  return &cairn_anchor;\n}\n";
}

}  // namespace

std::string moduleTable(const RewrittenSource& source, const std::vector<std::string>& nameExpressions) {
  std::string text = "\n# 1 \"kernel_table\"\n";
  text += std::string("static __thread char cairn_anchor asm(\"") + device::kSharedAnchor + "\");\n";
  text += bindShared(source.sharedPointers);
  std::string pointers, named;
  size_t count = 0;
  const auto entry = [&](const std::string& address, const std::string& maxThreads) {
    const std::string name = "cairn_entry_" + std::to_string(count++);
    text += "static const CairnKernelEntry " + name + " = CairnEntry<(" + address + ")>::make(" + maxThreads + ");\n";
    pointers += "&" + name + ", ";
  };
  for (const FoundKernel& kernel : source.kernels) entry("&" + kernel.name, kernel.maxThreads);
  for (const std::string& expression : nameExpressions) {
    entry(addressOf(expression), "0");
    named += "(const void*)(" + addressOf(expression) + "), ";
  }
  text += "static const CairnKernelEntry* const cairn_entries[] = {" + pointers + "nullptr};\n";
  text += std::string("extern \"C\" __attribute__((visibility(\"default\"))) const void* const ") + kNamedSymbol +
          "[] = {" + named + "nullptr};\n";
  text += "extern \"C\" __attribute__((visibility(\"default\"))) const CairnModule cairn_sim_module = {" +
          std::to_string(CAIRN_MODULE_MAGIC) + "u, " + std::to_string(CAIRN_MODULE_VERSION) +
          "u, cairn_entries, cairn_bind_shared};\n";
  return text;
}

}  // namespace sim
