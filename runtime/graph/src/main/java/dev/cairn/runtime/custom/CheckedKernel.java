package dev.cairn.runtime.custom;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Runs the kernel of a user's operator several times, in memory of its own, and compares: does it write every element
 * of its results, whatever the memory held; are equal inputs enough for equal results; and do results that may lie over
 * inputs come out the same there. {@link CustomKernel} refuses writes to inputs anyway.
 */
final class CheckedKernel implements Kernel {
  private static final byte ONE_PATTERN = (byte) 0xA5;
  private static final byte OTHER_PATTERN = 0x5A;
  private static final long ALIGNMENT = 64;

  private final KernelOperator operator;
  private final Kernel kernel;

  CheckedKernel(KernelOperator operator, Kernel kernel) {
    this.operator = operator;
    this.kernel = kernel;
  }

  @Override
  public void run(KernelCall call) {
    // Other threads read and write, too, where the kernel runs in parallel.
    try (Arena arena = Arena.ofShared()) {
      var trials = new Trials(call, arena);
      TensorView[] results = trials.run(ONE_PATTERN, null);
      if (operator.isPure()) {
        requireSame(results, trials.run(OTHER_PATTERN, null),
          "results differ from one call to the next: the kernel leaves elements out, reads results or workspace before "
            + "it writes them, or is not pure");
        for (MemoryTraits.Pair pair : operator.memory().inPlace()) {
          if (trials.mayLieOver(pair)) {
            requireSame(results, trials.run(ONE_PATTERN, pair),
              "results differ if result %d lies over input %d, which the memory traits allow".formatted(pair.output(),
                pair.input()));
          }
        }
      }
      for (int i = 0; i < results.length; i++) {
        call.output(i).segment().copyFrom(results[i].segment());
      }
    }
  }

  private void requireSame(TensorView[] expected, TensorView[] other, String fault) {
    for (int i = 0; i < expected.length; i++) {
      long at = expected[i].segment().mismatch(other[i].segment());
      if (at >= 0) {
        throw new CustomOperatorFailed(operator.name(), new BrokenPromise("%s: result=%d element=%d".formatted(fault, i,
          expected[i].dtype().elements(at))));
      }
    }
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return kernel.workspaceBytes(signature);
  }

  @Override
  public boolean servesSmallerCalls() {
    return kernel.servesSmallerCalls();
  }

  /** Calls like the one given, with copies of its inputs. */
  private final class Trials {
    private final KernelCall call;
    private final Arena arena;
    private final @Nullable TensorView[] inputs;

    Trials(KernelCall call, Arena arena) {
      this.call = call;
      this.arena = arena;
      this.inputs = new TensorView[call.inputCount()];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = call.has(i) ? copy(call.input(i)) : null;
      }
    }

    private TensorView copy(TensorView view) {
      var copy = new TensorView(view.type(), allocate(view.type().bytes()));
      copy.segment().copyFrom(view.segment());
      return copy;
    }

    private MemorySegment allocate(long bytes) {
      return arena.allocate(bytes, ALIGNMENT);
    }

    boolean mayLieOver(MemoryTraits.Pair pair) {
      return call.has(pair.input()) && pair.output() < call.outputCount() && call.input(pair.input()).type().equals(call
        .output(pair.output()).type());
    }

    /** @param inPlace which result lies over which input; null for none */
    TensorView[] run(byte pattern, MemoryTraits.@Nullable Pair inPlace) {
      @Nullable
      TensorView[] read = inputs.clone();
      TensorView[] written = new TensorView[call.outputCount()];
      for (int i = 0; i < written.length; i++) {
        if (inPlace != null && inPlace.output() == i) {
          written[i] = copy(call.input(inPlace.input()));
          read[inPlace.input()] = written[i];
        } else {
          written[i] = new TensorView(call.output(i).type(), allocate(call.output(i).type().bytes()).fill(pattern));
        }
      }
      kernel.run(new KernelCall(read, written, call.attributes(), allocate(call.workspace().byteSize()).fill(pattern),
        call.stream()));
      return written;
    }
  }
}
