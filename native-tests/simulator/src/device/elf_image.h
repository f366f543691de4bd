// Reads as much of an ELF file in memory as the simulator wants to know: its size and its symbols.
#pragma once
#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace sim::device {

struct ElfSymbol {
  std::string name;
  size_t value, bytes;
  bool threadLocal, function, undefined;
};

class ElfImage {
 public:
  explicit ElfImage(const void* image) : bytes_(static_cast<const char*>(image)) {}

  bool isElf() const { return memcmp(bytes_, ELFMAG, SELFMAG) == 0; }
  // What is read later lies where the header says that the file is, in files that keep to their own rules.
  bool isOurs() const {
    const Elf64_Ehdr& header = this->header();
    return header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_X86_64 && header.e_type == ET_DYN &&
           header.e_shentsize == sizeof(Elf64_Shdr) && header.e_phentsize == sizeof(Elf64_Phdr) &&
           header.e_shoff < kMostBytes && holds(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)) && holdsSections();
  }

  // The section table comes last in files of the GNU linker.
  size_t size() const {
    return header().e_shoff + static_cast<size_t>(header().e_shnum) * header().e_shentsize;
  }

  std::vector<ElfSymbol> symbols() const {
    std::vector<ElfSymbol> result;
    const auto* sections = at<Elf64_Shdr>(header().e_shoff);
    for (size_t i = 0; i < header().e_shnum; i++) {
      if (sections[i].sh_type != SHT_SYMTAB) continue;
      const auto* entries = at<Elf64_Sym>(sections[i].sh_offset);
      const char* names = bytes_ + sections[sections[i].sh_link].sh_offset;
      for (size_t k = 0; k < sections[i].sh_size / sizeof(Elf64_Sym); k++) {
        const int type = ELF64_ST_TYPE(entries[k].st_info);
        const bool weak = ELF64_ST_BIND(entries[k].st_info) == STB_WEAK;
        result.push_back({names + entries[k].st_name, entries[k].st_value, entries[k].st_size, type == STT_TLS,
                          type == STT_FUNC, entries[k].st_shndx == SHN_UNDEF && !weak});
      }
    }
    return result;
  }

  size_t sectionBytes(const char* name) const {
    const auto* sections = at<Elf64_Shdr>(header().e_shoff);
    const char* names = bytes_ + sections[header().e_shstrndx].sh_offset;
    for (size_t i = 0; i < header().e_shnum; i++) {
      if (strcmp(names + sections[i].sh_name, name) == 0) return sections[i].sh_size;
    }
    return 0;
  }

  std::vector<Elf64_Phdr> segments() const {
    const auto* first = at<Elf64_Phdr>(header().e_phoff);
    return {first, first + header().e_phnum};
  }

 private:
  static constexpr size_t kMostBytes = size_t{1} << 32;

  bool holds(size_t offset, size_t bytes) const { return offset <= size() && bytes <= size() - offset; }

  bool holdsSections() const {
    const auto* sections = at<Elf64_Shdr>(header().e_shoff);
    if (!isText(sections, header().e_shstrndx)) return false;
    for (size_t i = 0; i < header().e_shnum; i++) {
      const Elf64_Shdr& section = sections[i];
      if (section.sh_name >= sections[header().e_shstrndx].sh_size) return false;
      if (section.sh_type != SHT_SYMTAB) continue;
      if (!holds(section.sh_offset, section.sh_size) || !isText(sections, section.sh_link)) return false;
      const auto* entries = at<Elf64_Sym>(section.sh_offset);
      for (size_t k = 0; k < section.sh_size / sizeof(Elf64_Sym); k++) {
        if (entries[k].st_name >= sections[section.sh_link].sh_size) return false;
      }
    }
    return true;
  }

  // A section of names: each ends within it.
  bool isText(const Elf64_Shdr* sections, size_t index) const {
    if (index >= header().e_shnum) return false;
    const Elf64_Shdr& section = sections[index];
    return section.sh_size > 0 && holds(section.sh_offset, section.sh_size) &&
           bytes_[section.sh_offset + section.sh_size - 1] == '\0';
  }

  const Elf64_Ehdr& header() const { return *at<Elf64_Ehdr>(0); }
  template <class T>
  const T* at(size_t offset) const {
    return reinterpret_cast<const T*>(bytes_ + offset);
  }

  const char* bytes_;
};

}  // namespace sim::device
