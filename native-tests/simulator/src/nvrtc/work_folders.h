// Where compiled modules are kept, and where a compilation has its files meanwhile.
#pragma once
#include <cstdint>
#include <string>

namespace sim {

std::string readFile(const std::string& path);
void writeFile(const std::string& path, const std::string& text);

// A digest of 128 bits as text; for names of files, not against forgery.
std::string digest(const std::string& text);

// The cache (CAIRN_SIM_CACHE, else one of the user's own in the folder for temporary files), made when missing.
std::string cacheFolder();

// The folder with the simulator's own headers, written once for each version of them.
const std::string& shimFolder();

// Tells one build of this library from another: they may compile the same source differently.
const std::string& libraryIdentity();

// A folder for one compilation; gone with everything in it when the object goes.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace sim
