// Streams, and what is put into them besides copies and kernels.
#include "capture.h"
#include "current.h"
#include "entry.h"
#include "host_function.h"
#include "registry.h"
#include "stream.h"

using namespace sim;

static void createStream(CUstream* stream, unsigned flags, int priority) {
  requireValue(stream && (flags & ~CU_STREAM_NON_BLOCKING) == 0, "unknown flags");
  auto fresh = std::make_shared<Stream>(current(), Stream::Role::ordinary, flags, priority);
  *stream = registry().streams.add(fresh);
}

SIM_EXPORT CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return entry("cuStreamCreate", kWell, [&] { createStream(stream, flags, 0); });
}

SIM_EXPORT CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return entry("cuStreamCreateWithPriority", kWell, [&] {
    createStream(stream, flags, priority > 0 ? 0 : priority < -5 ? -5 : priority);
  });
}

// Returns at once; what the stream still has to do is done.
SIM_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  return entry("cuStreamDestroy", kWell, [&] {
    auto gone = registry().streams.remove(stream);
    dropCapture(gone);
    gone->context->keepUntilDrained(gone);
    gone->close();
  });
}

SIM_EXPORT CUresult cuStreamSynchronize(CUstream stream) {
  return entry("cuStreamSynchronize", kWell, [&] {
    auto target = anyStream(stream);
    refuseIfCapturing(target);
    target->wait(target->lastTicket());
    hostHasSeen(target->tick);
    target->context->requireAlive();
  });
}

SIM_EXPORT CUresult cuStreamQuery(CUstream stream) {
  return entry("cuStreamQuery", kWell, [&] {
    auto target = anyStream(stream);
    refuseIfCapturing(target);
    require(target->passed(target->lastTicket()), CUDA_ERROR_NOT_READY);
    target->context->requireAlive();
  });
}

SIM_EXPORT CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return entry("cuStreamGetFlags", kWell, [&] { *flags = anyStream(stream)->flags; });
}

SIM_EXPORT CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return entry("cuStreamGetPriority", kWell, [&] { *priority = anyStream(stream)->priority; });
}

SIM_EXPORT CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return entry("cuStreamGetId", kWell, [&] { *id = anyStream(stream)->number; });
}

SIM_EXPORT CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return entry("cuStreamGetCtx", kWell, [&] {
    *context = registry().contexts.handleOf(anyStream(stream)->context);
  });
}

SIM_EXPORT CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return entry("cuLaunchHostFunc", kWell, [&] {
    requireValue(function != nullptr, "null function");
    issue(streamOf(stream), std::make_shared<HostWork>(CUDA_HOST_NODE_PARAMS{function, data}));
  });
}

SIM_EXPORT CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  return entry("cuStreamAddCallback", kWell, [&] {
    requireValue(callback && flags == 0, "null callback, or flags");
    auto target = streamOf(stream);
    refuseIfCapturing(target);
    issue(target, std::make_shared<CallbackWork>(stream, callback, data));
  });
}

SIM_EXPORT CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr, size_t, unsigned) {
  return entry("cuStreamAttachMemAsync", kWell, [&] { streamOf(stream); });
}
