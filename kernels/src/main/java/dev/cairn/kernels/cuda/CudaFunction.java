package dev.cairn.kernels.cuda;

import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;

/** A kernel, ready to launch while its module is open. Thread-safe. */
public final class CudaFunction {
  private final CudaModule module;
  private final GraphNodeCalls.Function handle;
  private final String name;

  CudaFunction(CudaModule module, GraphNodeCalls.Function handle, String name) {
    this.module = module;
    this.handle = handle;
    this.name = name;
  }

  /** The kernel's name in its source. */
  public String name() {
    return name;
  }

  /** The most threads in a block. A kernel with many registers allows fewer than the device. */
  public int maximumBlockThreads() {
    return module.enter().attribute(handle, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  }

  /** Allows launches with more dynamic shared memory than the default 48 KiB, up to the limit of the device. */
  public void allowSharedBytes(int bytes) {
    module.enter().setAttribute(handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  }

  /**
   * Adds one launch to the stream and returns. Throws if the driver refuses the shape. A failure on the device shows at
   * a later call.
   *
   * @param arguments as many and as large as the kernel's parameters; they cannot be checked
   */
  public void launch(CudaStream stream, LaunchShape shape, ArgumentBlock arguments) {
    module.requireSameContext(stream);
    try {
      module.enter().launch(handle, shape, stream.handle(), arguments.pointer());
    } catch (CudaFailure e) {
      throw e.with("kernel=%s %s".formatted(name, shape));
    }
    stream.capture().noteLaunch(this);
  }

  CudaModule module() {
    return module;
  }

  GraphNodeCalls.Function handle() {
    return handle;
  }

  @Override
  public String toString() {
    return "kernel " + name;
  }
}
