package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Owner;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.invoke.Dispatch;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The work of one call: takes memory for the results, runs the kernel, and gives its scratch memory back. */
final class Invocation implements KernelWork {
  private final Dispatch.Compute dispatch;
  private final @Nullable ArrayRange[] operands;
  private final ArrayRange[] results;

  Invocation(Dispatch.Compute dispatch, @Nullable ArrayRange[] operands, ArrayRange[] results) {
    this.dispatch = dispatch;
    this.operands = operands;
    this.results = results;
  }

  @Override
  public long bytes() {
    long bytes = dispatch.scratchBytes();
    for (ArrayRange operand : operands) {
      bytes += operand == null ? 0 : operand.type().bytes();
    }
    for (ArrayRange result : results) {
      bytes += result.type().bytes();
    }
    return bytes;
  }

  @Override
  public void run() {
    ViewArrays views = ViewArrays.take();
    try {
      ArrayRange.views(operands, views.read(operands.length));
      ArrayRange.taken(results, views.written(results.length));
      run(views, results[0].storage(), dispatch);
    } finally {
      views.giveBack();
    }
  }

  /** @param result of the first result */
  static void run(ViewArrays views, ArrayStorage result, Dispatch.Compute dispatch) {
    ArrayDevice device = result.device;
    Stream stream = device.stream();
    if (dispatch.scratchBytes() == 0) {
      views.run(dispatch, MemorySegment.NULL, stream);
      return;
    }
    Block scratch = device.allocate(AllocationRequest.of(dispatch.scratchBytes(), Owner.of("workspace")), result.runtime
      .live());
    try {
      views.run(dispatch, scratch.segment(), stream);
    } finally {
      device.free(scratch);
    }
  }
}
