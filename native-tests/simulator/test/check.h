// The little that the self-tests need of a test framework: named cases, checks that count, a summary.
#pragma once
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace test {

struct Case {
  std::string name;
  std::function<void()> body;
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline int& failures() {
  static int count = 0;
  return count;
}

struct Register {
  Register(const char* name, std::function<void()> body) { cases().push_back({name, std::move(body)}); }
};

inline void check(bool holds, const std::string& what, const char* file, int line) {
  if (holds) return;
  failures()++;
  printf("    FAILED %s(%d): %s\n", file, line, what.c_str());
}

inline int runAll(const char* filter) {
  int run = 0;
  for (const Case& one : cases()) {
    if (filter != nullptr && one.name.find(filter) == std::string::npos) continue;
    const int before = failures();
    one.body();
    run++;
    if (failures() > before) printf("  wrong: %s\n", one.name.c_str());
  }
  printf("%d cases, %d failed checks\n", run, failures());
  return failures() > 0 || run == 0 ? 1 : 0;
}

}  // namespace test

#define TEST_CASE(name) \
  static void name(); \
  static const test::Register registered_##name(#name, name); \
  static void name()
#define CHECK(condition) test::check(condition, #condition, __FILE__, __LINE__)
#define CHECK_SAYS(condition, text) test::check(condition, std::string(#condition) + ": " + (text), __FILE__, __LINE__)
