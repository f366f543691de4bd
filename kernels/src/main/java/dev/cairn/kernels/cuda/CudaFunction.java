package dev.cairn.kernels.cuda;

import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;

/** A kernel, ready to launch as long as its module is open. Safe for use by many threads. */
public final class CudaFunction {
  private final CudaModule module;
  private final GraphNodeCalls.Function handle;
  private final String name;

  CudaFunction(CudaModule module, GraphNodeCalls.Function handle, String name) {
    this.module = module;
    this.handle = handle;
    this.name = name;
  }

  /** As its source has it. */
  public String name() {
    return name;
  }

  /** The most threads of a block, which its registers may keep below what the device allows. */
  public int maximumBlockThreads() {
    return module.enter().attribute(handle, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  }

  /** Allows launches with more dynamic shared memory than the usual 48 KiB; the device's properties say how much. */
  public void allowSharedBytes(int bytes) {
    module.enter().setAttribute(handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  }

  /**
   * Puts one launch at the end of the stream and returns. A refused shape fails here; what goes wrong on the device
   * shows at a later call.
   *
   * @param arguments as many and as large as the kernel's parameters, which nothing can check
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
