package dev.cairn.runtime.autograd;

import dev.cairn.runtime.ndarray.NDArray;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A function on arrays with a gradient of its own. Thread-safe if its two halves are. */
public final class DifferentiableFunction {
  private final Forward forward;
  private final Backward backward;

  /** Computes the results. */
  @FunctionalInterface
  public interface Forward {
    /**
     * The results.
     *
     * @param save keeps an operand, a result or another array for the gradient
     */
    List<NDArray> of(List<NDArray> operands, Consumer<NDArray> save);
  }

  /** Computes the gradients. */
  @FunctionalInterface
  public interface Backward {
    /**
     * The gradients of the operands.
     *
     * @param saved in the order in which they were saved
     * @param heads the gradients of the results; zeros where none flows
     * @return one for each operand, of its type; null for none
     */
    List<@Nullable NDArray> of(List<NDArray> saved, List<NDArray> heads);
  }

  DifferentiableFunction(Forward forward, Backward backward) {
    this.forward = forward;
    this.backward = backward;
  }

  /** Calls the function; while the thread records, its results are on the tape. */
  public List<NDArray> apply(NDArray... operands) {
    List<NDArray> given = List.of(operands);
    if (TapeRecorder.isSketching()) {
      throw new IllegalStateException("a function with a gradient of its own cannot be sketched: call it outside the "
        + "cached function, or write it as a composite operator");
    }
    List<NDArray> saved = new ArrayList<>();
    List<NDArray> results = new ArrayList<>();
    try (var _ = RecordingScope.open(false, Autograd.isTraining())) {
      for (NDArray result : forward.of(given, saved::add)) {
        // A result of its own, so that an operand stays what it is.
        results.add(given.contains(result) || results.contains(result) ? result.detach() : result);
      }
    }
    Autograd.recorded("function", given, results, saved, new OwnGradient(backward));
    return List.copyOf(results);
  }

  private record OwnGradient(Backward backward) implements TapedGradient {
    @Override
    public List<@Nullable NDArray> of(List<NDArray> saved, List<NDArray> heads, BitSet wanted) {
      return backward.of(saved, heads);
    }

    @Override
    public boolean isRecordable() {
      return true;
    }
  }
}
