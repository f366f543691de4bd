package dev.cairn.runtime.ndarray.call;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.engine.queue.FusedWork;
import org.jspecify.annotations.Nullable;

/**
 * Several calls of elementwise operators as one call of a fused kernel.
 *
 * @param whole writes the results that the calls leave, and reads what they read
 * @param overwritesOperand whether a result lies over an operand, so that the single calls cannot follow a kernel that
 *   has failed
 */
record FusedCall(Invocation whole, boolean overwritesOperand) implements FusedWork {
  @Override
  public boolean run(@Nullable Stream stream) {
    try {
      if (stream == null) {
        whole.run();
      } else {
        whole.run(stream);
      }
      return true;
    } catch (OutOfMemory e) {
      // Memory is taken before the kernel begins. The single calls show which of them lacks memory.
      return false;
    } catch (RuntimeException | Error e) {
      if (overwritesOperand) {
        throw e;
      }
      return false;
    }
  }
}
