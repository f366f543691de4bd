// In which order the threads of a block, and the blocks of a grid, are run: what one order hides another shows.
#pragma once
#include <cstdint>
#include <string>

namespace sim::device {

struct Order {
  enum class Kind { Forward, Reverse, Random };
  Kind kind = Kind::Forward;
  uint64_t seed = 0;

  // The same order for the same seed and salt (a kernel's name, a block's number), whatever else runs.
  Order salted(uint64_t salt) const;
};

uint64_t mix(uint64_t value);
uint64_t hashOf(const std::string& text);

// A walk over 0 .. count-1 in an order; needs no memory, so that grids of any size do.
class Walk {
 public:
  Walk(const Order& order, uint64_t count);
  uint64_t at(uint64_t step) const;

 private:
  Order::Kind kind_;
  uint64_t count_, factor_ = 1, shift_ = 0;
};

}  // namespace sim::device
