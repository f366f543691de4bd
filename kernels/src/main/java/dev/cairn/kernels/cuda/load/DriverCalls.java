package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.OpenLibrary;
import dev.cairn.kernels.load.DynamicLoader;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.TreeMap;

/**
 * The few calls of the driver that decide whether JCuda can be loaded over it. A call through JCuda to a function that
 * the driver does not have would end the process.
 */
final class DriverCalls {
  /** CUDA_SUCCESS. */
  static final int SUCCESS = 0;
  /** CUDA_ERROR_NO_DEVICE. */
  static final int NO_DEVICE = 100;

  private static final FunctionDescriptor WRITES_INT = FunctionDescriptor.of(JAVA_INT, ADDRESS);

  private final DynamicLoader loader;
  private final OpenLibrary driver;

  DriverCalls(DynamicLoader loader, OpenLibrary driver) {
    this.loader = loader;
    this.driver = driver;
  }

  /** The supported CUDA version as {@code 1000 * major + 10 * minor}. Does not need {@link #init()}. */
  int version() {
    return written("cuDriverGetVersion");
  }

  int devices() {
    return written("cuDeviceGetCount");
  }

  /** Starts the driver and returns its result code. */
  int init() {
    return (int) DynamicLoader.call(function("cuInit", FunctionDescriptor.of(JAVA_INT, JAVA_INT)), 0);
  }

  boolean has(String function) {
    return loader.function(driver, function, WRITES_INT).isPresent();
  }

  private int written(String function) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(JAVA_INT);
      int code = (int) DynamicLoader.call(function(function, WRITES_INT), answer);
      if (code != SUCCESS) {
        throw broken(Map.of("call", function, "code", String.valueOf(code), "meaning", meaning(code)));
      }
      return answer.get(JAVA_INT, 0);
    }
  }

  private MethodHandle function(String name, FunctionDescriptor descriptor) {
    return loader.function(driver, name, descriptor).orElseThrow(() -> broken(Map.of("missing", name)));
  }

  private CudaUnavailable broken(Map<String, String> facts) {
    var all = new TreeMap<>(facts);
    all.put("driver", driver.file().toString());
    return new CudaUnavailable(CudaUnavailable.Reason.DRIVER_BROKEN, all);
  }

  /** The meaning of a code of {@code cuInit}, from NVIDIA's documentation of {@code CUresult}. */
  static String meaning(int code) {
    return switch (code) {
      case SUCCESS -> "success";
      case 2 -> "out of memory";
      case 3 -> "not initialised";
      case 34 -> "a stub library, for linking only, was loaded in place of the driver";
      case 46 -> "the devices are busy or not available";
      case NO_DEVICE -> "no CUDA device";
      case 101 -> "invalid device, often a wrong CUDA_VISIBLE_DEVICES";
      case 304 -> "the operating system refused a call: are the device files there?";
      case 802 -> "the system is not ready: is the fabric manager running?";
      case 803 -> "the driver's library and the kernel module are of different versions";
      case 804 -> "forward compatibility is not supported on this hardware";
      case 999 -> "unknown error of the driver";
      default -> "see CUresult in NVIDIA's documentation of the driver API";
    };
  }
}
