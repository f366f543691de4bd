package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.stream.StreamWork;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.memory.Workspaces;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One call of a kernel as an operation: takes memory for the results and runs the kernel, on the processor or on a
 * GPU's stream, which comes after those of earlier operations.
 */
final class Invocation extends ArrayFootprint implements Runnable, StreamWork {
  private final Dispatch.Compute dispatch;
  /** Where the kernel runs. On a GPU the engine chooses the stream when the operation's turn comes. */
  private Stream stream;

  /** @param ranges the results, then the operands; null for an absent operand */
  Invocation(Dispatch.Compute dispatch, @Nullable ArrayRange[] ranges, int results) {
    super(ranges, results);
    this.dispatch = dispatch;
    this.stream = device().stream();
  }

  ArrayDevice device() {
    return result(0).storage().device();
  }

  /** How the kernel runs. */
  Dispatch.Compute dispatch() {
    return dispatch;
  }

  /** How many bytes the kernel uses. */
  long allBytes() {
    return bytes() + dispatch.scratchBytes();
  }

  @Override
  public void run(Stream chosen) {
    stream = chosen;
    run();
  }

  @Override
  public void run() {
    ViewArrays views = ViewArrays.take();
    try {
      @Nullable
      TensorView[] read = views.read(operands());
      for (int i = 0; i < read.length; i++) {
        ArrayRange operand = operand(i);
        read[i] = operand == null ? null : operand.view();
      }
      TensorView[] written = views.written(results());
      for (int i = 0; i < written.length; i++) {
        written[i] = result(i).taken(stream);
      }
      if (dispatch.scratchBytes() == 0) {
        dispatch.kernel().run(views.call(dispatch, MemorySegment.NULL, stream));
        return;
      }
      try (Workspaces.Space space = result(0).storage().live().workspace(device(), dispatch.scratchBytes(), stream)) {
        dispatch.kernel().run(views.call(dispatch, space.segment(), stream));
      }
    } finally {
      views.giveBack();
    }
  }
}
