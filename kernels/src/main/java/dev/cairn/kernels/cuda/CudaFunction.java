package dev.cairn.kernels.cuda;

import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;

import java.util.ArrayDeque;
import java.util.Deque;

/** A kernel, ready to launch while its module is open. Thread-safe. */
public final class CudaFunction {
  private static final int MOST_SPARE = 8;

  private final CudaModule module;
  private final GraphNodeCalls.Function handle;
  private final String name;
  /** What the driver has answered, since it always answers the same; 0 before it was asked. */
  private volatile int maximumBlockThreads;
  private volatile int sharedBytes;
  /** Blocks of launches that have run, for the next ones. The driver copies a block's values at each launch. */
  private final Deque<ArgumentBlock> spare = new ArrayDeque<>();

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
    int known = maximumBlockThreads;
    if (known == 0) {
      known = module.enter().attribute(handle, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
      maximumBlockThreads = known;
    }
    return known;
  }

  /** Allows launches with more dynamic shared memory than the default 48 KiB, up to the limit of the device. */
  public void allowSharedBytes(int bytes) {
    if (bytes > sharedBytes) {
      raiseSharedBytes(bytes);
    }
  }

  private synchronized void raiseSharedBytes(int bytes) {
    if (bytes > sharedBytes) {
      module.enter().setAttribute(handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
      sharedBytes = bytes;
    }
  }

  /**
   * A block for arguments of these sizes in bytes: that of an earlier launch, or a new one. Its values are undefined.
   */
  public ArgumentBlock takeBlock(int... slotBytes) {
    synchronized (spare) {
      ArgumentBlock last = spare.peek();
      if (last != null && last.hasSizes(slotBytes)) {
        return spare.pop();
      }
    }
    return ArgumentBlock.ofSizes(slotBytes);
  }

  /** Lets later launches use the block, which the caller must not touch from now on. */
  public void giveBack(ArgumentBlock block) {
    synchronized (spare) {
      if (spare.size() == MOST_SPARE) {
        spare.removeLast();
      }
      spare.push(block);
    }
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
