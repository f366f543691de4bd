#include "api.h"

#include <condition_variable>
#include <mutex>

namespace test {

Bench::Bench() {
  CUcontext context = nullptr;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
}

Bench::~Bench() {
  OK(cuDevicePrimaryCtxRelease_v2(0));
  cuCtxSetCurrent(nullptr);
  CHECK_SAYS(leaks().empty(), leaks());
}

CUresult runAsKernel(CUstream stream, std::function<int()> kernel) {
  auto run = [](void* data) { return (*static_cast<std::function<int()>*>(data))(); };
  auto drop = [](void* data) { delete static_cast<std::function<int()>*>(data); };
  return cairn_sim_enqueue(stream, "test kernel", run, new std::function<int()>(std::move(kernel)), drop);
}

struct Gate::State {
  std::mutex mutex;
  std::condition_variable changed;
  bool isOpen = false;
};

Gate::Gate() : state(new State) {}

// Whatever waits has been let go and waited for by now: streams are destroyed, or synchronized, before their gate.
Gate::~Gate() {
  open();
  cuCtxSynchronize();
  delete state;
}

void Gate::closeIn(CUstream stream) {
  auto wait = [](void* data) {
    auto* gate = static_cast<State*>(data);
    std::unique_lock<std::mutex> lock(gate->mutex);
    gate->changed.wait(lock, [&] { return gate->isOpen; });
  };
  OK(cuLaunchHostFunc(stream, wait, state));
}

void Gate::open() {
  std::lock_guard<std::mutex> lock(state->mutex);
  state->isOpen = true;
  state->changed.notify_all();
}

size_t freeBytes() {
  size_t free = 0, total = 0;
  OK(cuMemGetInfo_v2(&free, &total));
  return free;
}

std::string leaks() {
  char text[2048] = "";
  return cairn_sim_leaks(text, sizeof text) ? text : "";
}

}  // namespace test

int main(int count, char** arguments) { return test::runAll(count > 1 ? arguments[1] : nullptr); }
