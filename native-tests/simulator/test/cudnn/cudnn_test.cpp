// The simulated cuDNN over the simulated driver: convolutions against a formula by hand, advice, wrong use, capture.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "check.h"

extern "C" {
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void**, int);
int cuCtxSetCurrent(void*);
int cuMemAlloc_v2(unsigned long long*, size_t);
int cuMemFree_v2(unsigned long long);
int cuMemcpyHtoD_v2(unsigned long long, const void*, size_t);
int cuMemcpyDtoH_v2(void*, unsigned long long, size_t);
int cuStreamCreate(void**, unsigned);
int cuStreamSynchronize(void*);
int cuStreamBeginCapture_v2(void*, int);
int cuStreamEndCapture(void*, void**);
int cuGraphInstantiateWithFlags(void**, void*, unsigned long long);
int cuGraphLaunch(void*, void*);
void cairn_sim_fail(const char*, int, int);
size_t cudnnGetVersion();
size_t cudnnGetCudartVersion();
const char* cudnnGetErrorString(int);
void cudnnGetLastErrorString(char*, size_t);
int cudnnCreate(void**);
int cudnnDestroy(void*);
int cudnnSetStream(void*, void*);
int cudnnCreateTensorDescriptor(void**);
int cudnnDestroyTensorDescriptor(void*);
int cudnnSetTensorNdDescriptor(void*, int, int, const int*, const int*);
int cudnnCreateFilterDescriptor(void**);
int cudnnDestroyFilterDescriptor(void*);
int cudnnSetFilterNdDescriptor(void*, int, int, int, const int*);
int cudnnCreateConvolutionDescriptor(void**);
int cudnnDestroyConvolutionDescriptor(void*);
int cudnnSetConvolutionNdDescriptor(void*, int, const int*, const int*, const int*, int, int);
int cudnnSetConvolutionGroupCount(void*, int);
int cudnnSetConvolutionMathType(void*, int);
int cudnnGetConvolutionForwardAlgorithm_v7(void*, void*, void*, void*, void*, int, int*, void*);
int cudnnGetConvolutionForwardWorkspaceSize(void*, void*, void*, void*, void*, int, size_t*);
int cudnnConvolutionForward(void*, const float*, void*, const void*, void*, const void*, void*, int, void*, size_t,
                            const float*, void*, void*);
long cairn_sim_cudnn_objects();
}

namespace {

constexpr int kFma = 3;
const float kOne = 1, kZero = 0;

void* stream() {
  static void* made = [] {
    void *context = nullptr, *stream = nullptr;
    CHECK(cuInit(0) == 0);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    CHECK(cuStreamCreate(&stream, 1) == 0);
    return stream;
  }();
  return made;
}

class Floats {
 public:
  explicit Floats(std::vector<float> values) : values_(std::move(values)) {
    stream();
    CHECK(cuMemAlloc_v2(&device_, values_.size() * 4) == 0);
    CHECK(cuMemcpyHtoD_v2(device_, values_.data(), values_.size() * 4) == 0);
  }
  ~Floats() { cuMemFree_v2(device_); }
  void* get() const { return reinterpret_cast<void*>(device_); }
  std::vector<float> read() {
    CHECK(cuStreamSynchronize(stream()) == 0);
    CHECK(cuMemcpyDtoH_v2(values_.data(), device_, values_.size() * 4) == 0);
    return values_;
  }

 private:
  std::vector<float> values_;
  unsigned long long device_ = 0;
};

// A handle, and descriptors of x[1,1,3,3] * w[1,1,2,2] -> y[1,1,2,2].
struct Fixture {
  void *handle = nullptr, *x = nullptr, *w = nullptr, *y = nullptr, *convolution = nullptr;
  bool lost = false;  // whether the context is: then a handle can't be destroyed

  Fixture() {
    stream();
    CHECK(cudnnCreate(&handle) == 0);
    CHECK(cudnnSetStream(handle, stream()) == 0);
    CHECK(cudnnCreateTensorDescriptor(&x) == 0);
    CHECK(cudnnCreateFilterDescriptor(&w) == 0);
    CHECK(cudnnCreateTensorDescriptor(&y) == 0);
    CHECK(cudnnCreateConvolutionDescriptor(&convolution) == 0);
    tensor(x, {1, 1, 3, 3});
    tensor(y, {1, 1, 2, 2});
    const int taps[] = {1, 1, 2, 2}, none[] = {0, 0}, ones[] = {1, 1};
    CHECK(cudnnSetFilterNdDescriptor(w, 0, 0, 4, taps) == 0);
    CHECK(cudnnSetConvolutionNdDescriptor(convolution, 2, none, ones, ones, 1, 0) == 0);
    CHECK(cudnnSetConvolutionMathType(convolution, kFma) == 0);
  }
  ~Fixture() {
    CHECK(cudnnDestroyTensorDescriptor(x) == 0);
    CHECK(cudnnDestroyFilterDescriptor(w) == 0);
    CHECK(cudnnDestroyTensorDescriptor(y) == 0);
    CHECK(cudnnDestroyConvolutionDescriptor(convolution) == 0);
    CHECK(cudnnDestroy(handle) == (lost ? 5000 : 0));
  }
  static int tensor(void* descriptor, const std::vector<int>& extents) {
    std::vector<int> strides(extents.size(), 1);
    for (size_t i = extents.size() - 1; i > 0; i--) strides[i - 1] = strides[i] * extents[i];
    return cudnnSetTensorNdDescriptor(descriptor, 0, static_cast<int>(extents.size()), extents.data(), strides.data());
  }
  int run(const Floats& from, const Floats& weights, const Floats& to, int algorithm = 0, void* workspace = nullptr,
          size_t bytes = 0, const float* beta = &kZero) const {
    return cudnnConvolutionForward(handle, &kOne, x, from.get(), w, weights.get(), convolution, algorithm, workspace,
                                   bytes, beta, y, to.get());
  }
};

std::vector<float> counting(int count) {
  std::vector<float> values;
  for (int i = 1; i <= count; i++) values.push_back(static_cast<float>(i));
  return values;
}

}  // namespace

TEST_CASE(aWindowIsNotTurnedRoundUnlessAsked) {
  Fixture f;
  Floats x(counting(9)), w(counting(4)), y({NAN, NAN, NAN, NAN});
  CHECK(f.run(x, w, y) == 0);
  CHECK(y.read() == std::vector<float>({37, 47, 67, 77}));
  const int none[] = {0, 0}, ones[] = {1, 1};
  CHECK(cudnnSetConvolutionNdDescriptor(f.convolution, 2, none, ones, ones, 0, 0) == 0);
  CHECK(f.run(x, w, y) == 0);
  CHECK(y.read() == std::vector<float>({23, 33, 53, 63}));
}

TEST_CASE(whatWasThereIsAddedWhenBetaSaysSo) {
  Fixture f;
  Floats x(counting(9)), w(counting(4)), y({100, 0, 1, 2});
  CHECK(f.run(x, w, y, 0, nullptr, 0, &kOne) == 0);
  CHECK(y.read() == std::vector<float>({137, 47, 68, 79}));
}

TEST_CASE(onTensorCoresAFloatHasTenBits) {
  Fixture f;
  const float fine = 1.0f + 0x1p-12f;
  Floats x({fine, 0, 0, 0, 0, 0, 0, 0, 0}), w({1, 0, 0, 0}), y({0, 0, 0, 0});
  CHECK(f.run(x, w, y) == 0);
  CHECK(y.read()[0] == fine);
  CHECK(cudnnSetConvolutionMathType(f.convolution, 0) == 0);
  CHECK(f.run(x, w, y) == 0);
  CHECK(y.read()[0] == 1.0f);
}

TEST_CASE(aWorkspaceIsWantedAndWrittenOver) {
  Fixture f;
  Floats x(counting(9)), w(counting(4)), y({0, 0, 0, 0}), room(std::vector<float>(64, 5));
  size_t bytes = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(f.handle, f.x, f.w, f.convolution, f.y, 1, &bytes) == 0);
  CHECK(bytes == 24);
  CHECK(f.run(x, w, y, 1, nullptr, bytes) == 2002);
  CHECK(f.run(x, w, y, 1, room.get(), bytes - 1) == 2006);
  CHECK(f.run(x, w, y, 1, static_cast<char*>(room.get()) + 4, bytes) == 2003);
  CHECK(f.run(x, w, y, 1, room.get(), bytes) == 0);
  const auto after = room.read();
  for (int i = 0; i < 64; i++) CHECK((after[static_cast<size_t>(i)] == 5) == (i >= 6));
  CHECK(y.read()[0] == 37);
}

TEST_CASE(adviceBeginsWithWhatNobodyShouldTakeUnread) {
  struct {
    int algorithm, status;
    float time;
    size_t memory;
    int determinism, math, reserved[3];
  } advice[9];
  static_assert(sizeof advice[0] == 48, "as the real one lies in memory");
  Fixture f;
  int count = 0;
  CHECK(cudnnGetConvolutionForwardAlgorithm_v7(f.handle, f.x, f.w, f.convolution, f.y, 9, &count, advice) == 0);
  CHECK(count == 9);
  CHECK(advice[0].algorithm == 2 && advice[0].determinism == 0 && advice[0].status == 0);
  CHECK(advice[1].algorithm == 1 && advice[1].math == 2);
  CHECK(advice[2].algorithm == 1 && advice[2].math == kFma && advice[2].determinism == 1);
  CHECK(advice[8].status == 3000);
  CHECK(cudnnGetConvolutionForwardAlgorithm_v7(f.handle, f.x, f.w, f.convolution, f.y, 0, &count, advice) == 2000);
}

TEST_CASE(capturedConvolutionsAreReplayed) {
  Fixture f;
  Floats x(counting(9)), w(counting(4)), y({0, 0, 0, 0});
  void *graph = nullptr, *exec = nullptr;
  CHECK(cuStreamBeginCapture_v2(stream(), 1) == 0);
  CHECK(f.run(x, w, y, 0, nullptr, 0, &kOne) == 0);
  CHECK(cuStreamEndCapture(stream(), &graph) == 0);
  CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0) == 0);
  CHECK(y.read()[0] == 0);
  for (int i = 1; i <= 3; i++) {
    CHECK(cuGraphLaunch(exec, stream()) == 0);
    CHECK(y.read()[0] == 37.0f * static_cast<float>(i));
  }
}

TEST_CASE(wrongUseIsAnswered) {
  Fixture f;
  Floats x(counting(9)), w(counting(4)), y({0, 0, 0, 0});
  const int ones[] = {1, 1}, minus[] = {-1, 0}, flat[] = {1, 1, 3}, empty[] = {1, 1, 0, 3}, gaps[] = {18, 18, 6, 1};
  const int taps[] = {1, 1, 3, 3};
  CHECK(cudnnSetTensorNdDescriptor(f.x, 0, 3, flat, flat) == 2000);
  CHECK(cudnnSetTensorNdDescriptor(f.x, 0, 4, empty, gaps) == 2000);
  CHECK(cudnnSetTensorNdDescriptor(f.x, 0, 4, taps, gaps) == 3004);
  CHECK(cudnnSetTensorNdDescriptor(f.x, 3, 4, taps, gaps) != 0);
  CHECK(cudnnSetConvolutionNdDescriptor(f.convolution, 1, ones, ones, ones, 1, 0) == 3000);
  CHECK(cudnnSetConvolutionNdDescriptor(f.convolution, 2, minus, ones, ones, 1, 0) == 2000);
  CHECK(cudnnSetConvolutionGroupCount(f.convolution, 0) == 2000);
  CHECK(f.run(x, w, y, 8) == 2000);
  CHECK(f.run(x, w, y, 3) == 3000);
  CHECK(cudnnSetConvolutionGroupCount(f.convolution, 2) == 0);
  CHECK(f.run(x, w, y) == 2008);
  CHECK(cudnnSetConvolutionGroupCount(f.convolution, 1) == 0);
  CHECK(Fixture::tensor(f.y, {1, 1, 3, 2}) == 0);
  CHECK(f.run(x, w, y) == 2008);
  char words[200];
  cudnnGetLastErrorString(words, sizeof words);
  CHECK(strstr(words, "windows") != nullptr);
  CHECK(Fixture::tensor(f.y, {1, 1, 2, 2}) == 0);
  CHECK(cudnnConvolutionForward(f.handle, &kOne, f.w, x.get(), f.w, w.get(), f.convolution, 0, nullptr, 0, &kZero, f.y,
                                y.get()) == 2000);
  CHECK(cudnnConvolutionForward(nullptr, &kOne, f.x, x.get(), f.w, w.get(), f.convolution, 0, nullptr, 0, &kZero, f.y,
                                y.get()) == 2002);
  CHECK(strcmp(cudnnGetErrorString(3000), "CUDNN_STATUS_NOT_SUPPORTED") == 0);
  CHECK(cudnnGetVersion() / 10000 == 9 && cudnnGetCudartVersion() / 1000 == 12);
}

TEST_CASE(orderedFailuresComeAndWhatIsGoneIsRefused) {
  void* descriptor = nullptr;
  stream();
  cairn_sim_fail("cudnnCreateTensorDescriptor", 2, 4003);
  CHECK(cudnnCreateTensorDescriptor(&descriptor) == 0);
  void* second = nullptr;
  CHECK(cudnnCreateTensorDescriptor(&second) == 4003);
  CHECK(cairn_sim_cudnn_objects() == 1);
  CHECK(cudnnDestroyTensorDescriptor(descriptor) == 0);
  CHECK(cudnnDestroyTensorDescriptor(descriptor) == 2000);
  CHECK(cairn_sim_cudnn_objects() == 0);
}

// Last, since the context is lost by it.
TEST_CASE(zMemoryOfTheHostIsAnIllegalAddress) {
  Fixture f;
  float host[9] = {};
  Floats w(counting(4)), y({0, 0, 0, 0});
  CHECK(cudnnConvolutionForward(f.handle, &kOne, f.x, host, f.w, w.get(), f.convolution, 0, nullptr, 0, &kZero, f.y,
                                y.get()) == 0);
  CHECK(cuStreamSynchronize(stream()) == 700);
  f.lost = true;
}

int main(int count, char** arguments) { return test::runAll(count > 1 ? arguments[1] : nullptr); }
