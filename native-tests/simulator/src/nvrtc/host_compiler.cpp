#include "nvrtc/host_compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "nvrtc/work_folders.h"

extern char** environ;

namespace sim {
namespace {

std::string compilerName() {
  const char* given = getenv("CAIRN_SIM_CXX");
  return given != nullptr && *given != '\0' ? given : "g++";
}

// The environment, with messages in English whatever the user reads.
std::vector<char*> plainEnvironment(std::string& language) {
  std::vector<char*> result;
  for (char** entry = environ; *entry != nullptr; entry++) {
    if (strncmp(*entry, "LC_ALL=", 7) != 0) result.push_back(*entry);
  }
  result.push_back(language.data());
  result.push_back(nullptr);
  return result;
}

int start(std::vector<std::string> arguments, const std::string& out, const std::string& err) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::string language = "LC_ALL=C";
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&files, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child;
  const int failed =
      posix_spawnp(&child, words[0], &files, nullptr, words.data(), plainEnvironment(language).data());
  posix_spawn_file_actions_destroy(&files);
  if (failed) return 127;
  int status;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string identify() {
  const WorkFolder work;
  const std::string out = work.path() + "/version";
  start({compilerName(), "--version"}, out, "/dev/null");
  return compilerName() + "\n" + readFile(out) + processorOption();
}

}  // namespace

CompilerRun runCompiler(const std::vector<std::string>& arguments, const std::string& workFolder) {
  std::vector<std::string> words = {compilerName()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::string messages = workFolder + "/messages";
  const int exitCode = start(words, "/dev/null", messages);
  return {exitCode, exitCode == 127 ? "can't start " + compilerName() + "\n" : readFile(messages)};
}

const std::string& compilerIdentity() {
  static const std::string identity = identify();
  return identity;
}

const char* processorOption() {
  const bool modern = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2");
  return modern ? "-march=x86-64-v3" : "-march=x86-64-v2";
}

}  // namespace sim
