package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.Footprint;
import dev.cairn.runtime.engine.Operation;
import dev.cairn.runtime.engine.StreamWork;
import dev.cairn.runtime.invoke.Dispatch;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The work of one call on a GPU: takes memory for the results, and gives the kernel to a stream. The stream comes
 * after those of earlier operations; no thread waits for them.
 */
final class DeviceInvocation implements StreamWork, Pushable {
  private final ArrayDevice device;
  private final Dispatch.Compute dispatch;
  private final @Nullable ArrayRange[] operands;
  private final ArrayRange[] results;
  private final @Nullable ArrayRange scratch;

  /** @param scratch memory for the kernel; null if it needs none */
  DeviceInvocation(ArrayDevice device, Dispatch.Compute dispatch, @Nullable ArrayRange[] operands,
    ArrayRange[] results, @Nullable ArrayRange scratch) {
    this.device = device;
    this.dispatch = dispatch;
    this.operands = operands;
    this.results = results;
    this.scratch = scratch;
  }

  @Override
  public Operation operation(String name, Footprint footprint) {
    return Operation.onStream(name, footprint, device.place(), this);
  }

  @Override
  public void run(Stream stream) {
    @Nullable
    TensorView[] read = ArrayRange.views(operands);
    TensorView[] written = ArrayRange.taken(results, stream);
    dispatch.run(read, written, scratch == null ? MemorySegment.NULL : scratch.taken(stream).segment(), stream);
  }
}
