package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Owner;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.invoke.Dispatch;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The work of one call: takes memory for the results, runs the kernel, and gives its scratch memory back. */
final class Invocation implements Runnable {
  private final Dispatch.Compute dispatch;
  private final @Nullable ArrayRange[] operands;
  private final ArrayRange[] results;

  Invocation(Dispatch.Compute dispatch, @Nullable ArrayRange[] operands, ArrayRange[] results) {
    this.dispatch = dispatch;
    this.operands = operands;
    this.results = results;
  }

  @Override
  public void run() {
    @Nullable
    TensorView[] read = ArrayRange.views(operands);
    TensorView[] written = ArrayRange.taken(results);
    ArrayDevice device = results[0].storage().device;
    Stream stream = device.stream();
    if (dispatch.scratchBytes() == 0) {
      dispatch.run(read, written, MemorySegment.NULL, stream);
    } else {
      runWithScratch(device, read, written, stream);
    }
  }

  private void runWithScratch(ArrayDevice device, @Nullable TensorView[] read, TensorView[] written, Stream stream) {
    Block scratch = device.allocate(AllocationRequest.of(dispatch.scratchBytes(), Owner.of("workspace")), results[0]
      .storage().runtime.live());
    try {
      dispatch.run(read, written, scratch.segment(), stream);
    } finally {
      device.free(scratch);
    }
  }
}
