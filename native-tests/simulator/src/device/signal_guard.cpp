#include "device/signal_guard.h"

#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <mutex>

#include "device/block.h"

namespace sim::device {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr size_t kAlternateBytes = 64 << 10;
struct sigaction before[NSIG];

void passOn(int signal, siginfo_t* info, void* context) {
  const struct sigaction& old = before[signal];
  if (old.sa_flags & SA_SIGINFO) {
    old.sa_sigaction(signal, info, context);
  } else if (old.sa_handler == SIG_DFL) {
    sigaction(signal, &old, nullptr);  // the faulting instruction runs again and meets the default
  } else if (old.sa_handler != SIG_IGN) {
    old.sa_handler(signal);
  }
}

bool ourInterrupt(const siginfo_t* info) { return info->si_code == SI_TKILL && info->si_pid == getpid(); }

void handle(int signal, siginfo_t* info, void* context) {
  Block* block = Block::running();
  if (block == nullptr) {
    // An interrupt may come just after its kernel ended.
    if (!ourInterrupt(info)) passOn(signal, info, context);
    return;
  }
  block->crashed(signal, info->si_code, info->si_addr);
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  registers[REG_RIP] = reinterpret_cast<greg_t>(&Block::abandon);
  registers[REG_RSP] = reinterpret_cast<greg_t>(block->emergencyStack());
}

void install() {
  for (int signal : kSignals) {
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(signal, nullptr, &before[signal]);
    action.sa_mask = before[signal].sa_mask;
    sigaction(signal, &action, nullptr);
  }
}

// A thread whose stack overflows has no room for the handler's frame.
struct AlternateStack {
  void* memory = nullptr;
  ~AlternateStack() {
    if (memory == nullptr) return;
    stack_t off = {};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
    free(memory);
  }
  void ensure() {
    stack_t present;
    if (memory != nullptr || (sigaltstack(nullptr, &present) == 0 && !(present.ss_flags & SS_DISABLE))) return;
    memory = malloc(kAlternateBytes);
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = kAlternateBytes;
    sigaltstack(&stack, nullptr);
  }
};

}  // namespace

void guardThisThread() {
  static std::once_flag once;
  std::call_once(once, install);
  static thread_local AlternateStack alternate;
  alternate.ensure();
}

void interruptThread(unsigned long thread) { pthread_kill(thread, SIGSEGV); }

}  // namespace sim::device
