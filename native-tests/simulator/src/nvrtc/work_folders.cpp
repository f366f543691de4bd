#include "nvrtc/work_folders.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "nvrtc/shim_headers.h"

namespace sim {
namespace {

namespace fs = std::filesystem;

uint64_t hash(const std::string& text, uint64_t state) {
  for (unsigned char c : text) {
    state = (state ^ c) * 0x100000001b3u;
    state ^= state >> 29;
  }
  return state;
}

// Compiled code is loaded from here: no other user may have put it there.
void requireOwn(const std::string& folder) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
      (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw std::runtime_error("the cache folder is not a folder of this user alone: folder=" + folder);
  }
}

std::string writeShims() {
  std::string all;
  for (const ShimHeader* header = kShimHeaders; header->name != nullptr; header++) {
    all += std::string(header->name) + "\n" + header->text;
  }
  const std::string folder = cacheFolder() + "/include-" + digest(all);
  if (fs::exists(folder)) return folder;
  const WorkFolder work;
  const std::string fresh = work.path() + "/include";
  fs::create_directory(fresh);
  for (const ShimHeader* header = kShimHeaders; header->name != nullptr; header++) {
    writeFile(fresh + "/" + header->name, header->text);
  }
  std::error_code another;
  fs::rename(fresh, folder, another);  // fails only when another process was faster
  return folder;
}

}  // namespace

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void writeFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error("can't write: file=" + path);
}

std::string digest(const std::string& text) {
  char hex[40];
  snprintf(hex, sizeof hex, "%016llx%016llx", static_cast<unsigned long long>(hash(text, 0xcbf29ce484222325u)),
           static_cast<unsigned long long>(hash(text, 0x9ae16a3b2f90404fu)));
  return hex;
}

std::string cacheFolder() {
  const char* given = getenv("CAIRN_SIM_CACHE");
  const std::string folder = given != nullptr && *given != '\0'
                                 ? std::string(given)
                                 : fs::temp_directory_path().string() + "/cairn-sim-cache-" + std::to_string(geteuid());
  if (!fs::exists(folder)) {
    fs::create_directories(fs::path(folder).parent_path());
    mkdir(folder.c_str(), 0700);
  }
  requireOwn(folder);
  return fs::absolute(folder).string();
}

const std::string& shimFolder() {
  static const std::string folder = writeShims();
  return folder;
}

const std::string& libraryIdentity() {
  static const std::string identity = [] {
    Dl_info info;
    struct stat file;
    if (dladdr(reinterpret_cast<const void*>(&libraryIdentity), &info) == 0 || stat(info.dli_fname, &file) != 0) {
      return std::string();
    }
    return std::to_string(file.st_size) + "-" + std::to_string(file.st_mtim.tv_sec) + "." +
           std::to_string(file.st_mtim.tv_nsec);
  }();
  return identity;
}

WorkFolder::WorkFolder() {
  static std::atomic<unsigned> counter{0};
  path_ = cacheFolder() + "/work-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
  fs::remove_all(path_);
  if (mkdir(path_.c_str(), 0700) != 0) throw std::runtime_error("can't make a folder: folder=" + path_);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (getenv("CAIRN_SIM_KEEP") == nullptr) fs::remove_all(path_, ignored);
}

}  // namespace sim
