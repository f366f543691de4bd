package dev.cairn.kernels.cuda;

import static jcuda.driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED;
import static jcuda.driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;

import dev.cairn.kernels.cuda.load.LoadedCuda;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * All calls to the CUDA driver through JCuda, with one check of their results. No other class of this module calls the
 * driver, except {@link GraphNodeCalls}, which replaces calls that are wrong in JCuda. Calls that need a context use
 * the calling thread's current one, which {@link CudaContext#enter} sets. Thread-safe.
 */
public final class CudaDriver {
  /** How many captures this process has under way. */
  static final AtomicInteger CAPTURES = new AtomicInteger();

  private static final int NOT_READY = 600;

  private CudaDriver() {}

  /**
   * Initialises the driver.
   *
   * @param loaded proof that the driver's library and JCuda's are loaded
   * @throws CudaFailure if there is no device, or the driver is too old
   */
  public static CudaDriver initialize(LoadedCuda loaded) {
    Objects.requireNonNull(loaded, "CUDA is not loaded");
    JCudaDriver.setExceptionsEnabled(false);
    check(JCudaDriver.cuInit(0), "cuInit");
    return new CudaDriver();
  }

  /** The CUDA version that the driver supports, as 1000 times the major and 10 times the minor number. */
  public int version() {
    int[] version = new int[1];
    check(JCudaDriver.cuDriverGetVersion(version), "cuDriverGetVersion");
    return version[0];
  }

  /** The number of devices. */
  public int deviceCount() {
    int[] count = new int[1];
    check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    return count[0];
  }

  /** The properties of a device, read without opening it. */
  public CudaProperties properties(int ordinal) {
    CUdevice device = device(ordinal);
    byte[] name = new byte[256];
    check(JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName", "device", ordinal);
    long[] bytes = new long[1];
    check(JCudaDriver.cuDeviceTotalMem(bytes, device), "cuDeviceTotalMem", "device", ordinal);
    return CudaProperties.read(new String(name, StandardCharsets.UTF_8).trim(), bytes[0],
      attribute -> attribute(attribute, device));
  }

  CUdevice device(int ordinal) {
    CUdevice device = new CUdevice();
    check(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet", "device", ordinal);
    return device;
  }

  private int attribute(int attribute, CUdevice device) {
    int[] value = new int[1];
    check(JCudaDriver.cuDeviceGetAttribute(value, attribute, device), "cuDeviceGetAttribute", "attribute", attribute);
    return value[0];
  }

  CUcontext retainPrimary(CUdevice device) {
    CUcontext context = new CUcontext();
    check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain");
    return context;
  }

  void releasePrimary(CUdevice device) {
    check(JCudaDriver.cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
  }

  boolean enablePeer(CUdevice device, CUdevice peer, CUcontext context) {
    int[] can = new int[1];
    check(JCudaDriver.cuDeviceCanAccessPeer(can, device, peer), "cuDeviceCanAccessPeer");
    int code = can[0] == 0 ? 0 : JCudaDriver.cuCtxEnablePeerAccess(context, 0);
    check(code == CudaFailure.PEER_ALREADY_ENABLED ? 0 : code, "cuCtxEnablePeerAccess");
    return can[0] != 0;
  }

  void setCurrent(CUcontext context) {
    check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }

  void synchronizeContext() {
    check(JCudaDriver.cuCtxSynchronize(), "cuCtxSynchronize");
  }

  MemoryInfo memoryInfo() {
    long[] free = new long[1];
    long[] total = new long[1];
    check(JCudaDriver.cuMemGetInfo(free, total), "cuMemGetInfo");
    return new MemoryInfo(free[0], total[0]);
  }

  long allocate(long bytes) {
    DevicePointer pointer = new DevicePointer();
    check(JCudaDriver.cuMemAlloc(pointer, bytes), "cuMemAlloc", "wantedBytes", bytes);
    return pointer.address();
  }

  void free(long address) {
    check(JCudaDriver.cuMemFree(new DevicePointer(address)), "cuMemFree", "address", address);
  }

  long allocatePinned(long bytes) {
    HostPointer pointer = new HostPointer();
    check(JCudaDriver.cuMemAllocHost(pointer, bytes), "cuMemAllocHost", "wantedBytes", bytes);
    return pointer.address();
  }

  void freePinned(long address) {
    check(JCudaDriver.cuMemFreeHost(new HostPointer(address)), "cuMemFreeHost", "address", address);
  }

  void copyToDevice(long target, long source, long bytes, CUstream stream) {
    check(JCudaDriver.cuMemcpyHtoDAsync(new DevicePointer(target), new HostPointer(source), bytes, stream),
      "cuMemcpyHtoDAsync", "bytes", bytes);
  }

  void copyToHost(long target, long source, long bytes, CUstream stream) {
    check(JCudaDriver.cuMemcpyDtoHAsync(new HostPointer(target), new DevicePointer(source), bytes, stream),
      "cuMemcpyDtoHAsync", "bytes", bytes);
  }

  void copyOnDevice(long target, long source, long bytes, CUstream stream) {
    check(JCudaDriver.cuMemcpyDtoDAsync(new DevicePointer(target), new DevicePointer(source), bytes, stream),
      "cuMemcpyDtoDAsync", "bytes", bytes);
  }

  void fill(long address, byte value, long bytes, CUstream stream) {
    check(JCudaDriver.cuMemsetD8Async(new DevicePointer(address), value, bytes, stream), "cuMemsetD8Async", "bytes",
      bytes);
  }

  void fillInts(long address, int value, long count, CUstream stream) {
    check(JCudaDriver.cuMemsetD32Async(new DevicePointer(address), value, count, stream), "cuMemsetD32Async", "count",
      count);
  }

  StreamHandle newStream() {
    StreamHandle stream = new StreamHandle();
    // 1: no implicit synchronization with the legacy default stream, which Cairn does not use.
    check(JCudaDriver.cuStreamCreate(stream, 1), "cuStreamCreate");
    return stream;
  }

  void destroy(CUstream stream) {
    check(JCudaDriver.cuStreamDestroy(stream), "cuStreamDestroy");
  }

  void synchronize(CUstream stream) {
    check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
  }

  void waitFor(CUstream stream, CUevent event) {
    check(JCudaDriver.cuStreamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
  }

  void beginCapture(CUstream stream) {
    check(JCudaDriver.cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
  }

  GraphNodeCalls.Graph endCapture(CUstream stream) {
    GraphNodeCalls.Graph graph = new GraphNodeCalls.Graph();
    check(JCudaDriver.cuStreamEndCapture(stream, graph), "cuStreamEndCapture");
    return graph;
  }

  CUevent newEvent(boolean timed) {
    CUevent event = new CUevent();
    check(JCudaDriver.cuEventCreate(event, timed ? 0 : 2), "cuEventCreate");
    return event;
  }

  void destroy(CUevent event) {
    check(JCudaDriver.cuEventDestroy(event), "cuEventDestroy");
  }

  void record(CUevent event, CUstream stream) {
    check(JCudaDriver.cuEventRecord(event, stream), "cuEventRecord");
  }

  /**
   * Whether an event has passed. On a thread that captures, a driver refuses this query and invalidates the capture.
   * The query adds nothing to a graph, so this method makes it in the relaxed capture mode.
   */
  boolean hasPassed(CUevent event) {
    boolean capturing = CAPTURES.get() > 0;
    int[] mode = {CU_STREAM_CAPTURE_MODE_RELAXED};
    if (capturing) {
      check(JCudaDriver.cuThreadExchangeStreamCaptureMode(mode), "cuThreadExchangeStreamCaptureMode");
    }
    int code = JCudaDriver.cuEventQuery(event);
    if (capturing) {
      int restored = JCudaDriver.cuThreadExchangeStreamCaptureMode(mode);
      if (restored != 0) {
        // Try once more. Otherwise the thread would stay in the relaxed mode.
        JCudaDriver.cuThreadExchangeStreamCaptureMode(mode);
        check(restored, "cuThreadExchangeStreamCaptureMode");
      }
    }
    check(code == NOT_READY ? 0 : code, "cuEventQuery");
    return code == 0;
  }

  void synchronize(CUevent event) {
    check(JCudaDriver.cuEventSynchronize(event), "cuEventSynchronize");
  }

  float elapsedMillis(CUevent first, CUevent second) {
    float[] millis = new float[1];
    check(JCudaDriver.cuEventElapsedTime(millis, first, second), "cuEventElapsedTime");
    return millis[0];
  }

  CUmodule loadModule(byte[] image) {
    CUmodule module = new CUmodule();
    check(JCudaDriver.cuModuleLoadData(module, image), "cuModuleLoadData", "imageBytes", image.length);
    return module;
  }

  void unload(CUmodule module) {
    check(JCudaDriver.cuModuleUnload(module), "cuModuleUnload");
  }

  /** The kernel with this name, or null if the module has none. */
  GraphNodeCalls.@Nullable Function function(CUmodule module, String name) {
    GraphNodeCalls.Function function = new GraphNodeCalls.Function();
    int code = JCudaDriver.cuModuleGetFunction(function, module, name);
    if (code == CudaFailure.NOT_FOUND) {
      return null;
    }
    check(code, "cuModuleGetFunction");
    return function;
  }

  int attribute(CUfunction function, int attribute) {
    int[] value = new int[1];
    check(JCudaDriver.cuFuncGetAttribute(value, attribute, function), "cuFuncGetAttribute", "attribute", attribute);
    return value[0];
  }

  void setAttribute(CUfunction function, int attribute, int value) {
    check(JCudaDriver.cuFuncSetAttribute(function, attribute, value), "cuFuncSetAttribute", "value", value);
  }

  void launch(CUfunction function, LaunchShape shape, CUstream stream, Pointer arguments) {
    check(JCudaDriver.cuLaunchKernel(function, shape.gridX(), shape.gridY(), shape.gridZ(), shape.blockX(),
      shape.blockY(), shape.blockZ(), shape.sharedBytes(), stream, arguments, null), "cuLaunchKernel");
  }

  GraphNodeCalls.Executable instantiate(CUgraph graph) {
    GraphNodeCalls.Executable executable = new GraphNodeCalls.Executable();
    check(JCudaDriver.cuGraphInstantiate(executable, graph, 0), "cuGraphInstantiate");
    return executable;
  }

  void launch(CUgraphExec executable, CUstream stream) {
    check(JCudaDriver.cuGraphLaunch(executable, stream), "cuGraphLaunch");
  }

  void destroy(CUgraphExec executable) {
    check(JCudaDriver.cuGraphExecDestroy(executable), "cuGraphExecDestroy");
  }

  void destroy(CUgraph graph) {
    check(JCudaDriver.cuGraphDestroy(graph), "cuGraphDestroy");
  }

  static void check(int code, String call) {
    check(code, call, "", 0);
  }

  private static void check(int code, String call, String fact, long value) {
    if (code != 0) {
      String facts = fact.isEmpty() ? "" : " %s=%d".formatted(fact, value);
      throw new CudaFailure(code, CUresult.stringFor(code), call, facts);
    }
  }
}
