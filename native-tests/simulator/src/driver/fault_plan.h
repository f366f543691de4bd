// Failures ordered by tests: the nth next call of a function answers a code and does nothing. Counts calls besides.
#pragma once
#include <map>
#include <mutex>
#include <string>

namespace sim {

class FaultPlan {
 public:
  // nth = 1 is the very next call; 0 forgets the plan for this function. Names go with or without _v2.
  void fail(const std::string& call, int nth, int code);

  // Counts one call, and says what it must answer: 0, or the planned code.
  int enter(const char* call);

  long calls(const std::string& call) const;

 private:
  struct Row {
    long calls = 0;
    int until = 0;  // calls left until the failing one; 0: none planned
    int code = 0;
  };
  mutable std::mutex mutex;
  std::map<std::string, Row, std::less<>> rows;
};

FaultPlan& faultPlan();

}  // namespace sim
