#include "device/order.h"

#include <numeric>

namespace sim::device {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

// FNV-1a, 64 bits.
uint64_t hashOf(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

Order Order::salted(uint64_t salt) const { return {kind, mix(seed ^ mix(salt))}; }

Walk::Walk(const Order& order, uint64_t count) : kind_(order.kind), count_(count) {
  if (kind_ != Order::Kind::Random || count < 2) return;
  shift_ = mix(order.seed) % count;
  factor_ = mix(order.seed + 1) % count;
  while (std::gcd(factor_, count) != 1) factor_ = (factor_ + 1) % count;
}

uint64_t Walk::at(uint64_t step) const {
  switch (kind_) {
    case Order::Kind::Forward: return step;
    case Order::Kind::Reverse: return count_ - 1 - step;
    case Order::Kind::Random: break;
  }
  if (count_ <= UINT32_MAX) return (step * factor_ + shift_) % count_;
  return static_cast<uint64_t>((static_cast<unsigned __int128>(step) * factor_ + shift_) % count_);
}

}  // namespace sim::device
