package dev.cairn.runtime.autograd;

import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.LeafGradient;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.TapePlace;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gradients of what a thread computes with arrays.
 *
 * <pre>{@code
 * NDArray w = arrays.of(new float[] {1, 2, 3}, 3).attachGradient();
 * NDArray loss;
 * try (var _ = Autograd.record()) {
 *   loss = w.mul(w).sum();
 * }
 * loss.backward();
 * System.out.println(w.gradient()); // [2 4 6]
 * }</pre>
 */
public final class Autograd {
  private Autograd() {}

  /** This thread records, and trains, until the scope is closed. */
  public static RecordingScope record() {
    return record(true);
  }

  /**
   * This thread records until the scope is closed.
   *
   * @param training whether it trains, too
   */
  public static RecordingScope record(boolean training) {
    return RecordingScope.open(true, training);
  }

  /** This thread neither records nor trains until the scope is closed. */
  public static RecordingScope pause() {
    return RecordingScope.open(false, false);
  }

  /** Functions that differ in training, such as dropout, do what they do in training; recording stays as it is. */
  public static RecordingScope trainMode() {
    return RecordingScope.open(isRecording(), true);
  }

  /** Functions that differ in training do what they do in prediction; recording stays as it is. */
  public static RecordingScope predictMode() {
    return RecordingScope.open(isRecording(), false);
  }

  /** Whether this thread records. */
  public static boolean isRecording() {
    return RecordingScope.isRecording();
  }

  /** Whether this thread trains. */
  public static boolean isTraining() {
    return RecordingScope.isTraining();
  }

  /** Like {@link #backward(List, List, BackwardOptions)} with ones as heads, for arrays such as several losses. */
  public static void backward(List<NDArray> ys) {
    backward(ys, Collections.nCopies(ys.size(), null), BackwardOptions.DEFAULT);
  }

  /**
   * Computes the gradients of all arrays with attached gradients that some arrays were computed from, and writes or
   * adds them as each array's request says. Returns when the operations are pushed.
   *
   * @param heads the gradient of each y, of its type; null for ones
   * @throws IllegalStateException when a y was not recorded, its tape was given up, or an array that a gradient needs
   *   was overwritten since
   * @throws dev.cairn.runtime.operator.UnsupportedOperators when operators have no gradient: names all of them
   */
  public static void backward(List<NDArray> ys, List<? extends @Nullable NDArray> heads, BackwardOptions options) {
    if (options.createGraph()) {
      throw new IllegalArgumentException("attached gradients are not recorded: createGraph=true; use Autograd."
        + "gradient");
    }
    BackwardRun.backward(ys, heads, options);
  }

  /** Like {@link #gradient(List, List, List, BackwardOptions)} of one array, with ones as its head. */
  public static List<NDArray> gradient(NDArray y, NDArray... xs) {
    return gradient(List.of(y), List.of(xs), Collections.singletonList(null), BackwardOptions.DEFAULT);
  }

  /**
   * Gradients as new arrays; attached ones stay as they are.
   *
   * @param xs arrays with attached gradients, or results on the tape
   * @param heads the gradient of each y, of its type; null for ones
   * @return one for each x
   * @throws IllegalArgumentException when an x has no place on the tape of {@code ys}
   * @throws IllegalStateException as {@link #backward(List, List, BackwardOptions)}
   */
  public static List<NDArray> gradient(List<NDArray> ys, List<NDArray> xs, List<? extends @Nullable NDArray> heads,
    BackwardOptions options) {
    BackwardRun.requireRecorded(ys, heads);
    Set<TapePlace> wanted = new LinkedHashSet<>();
    for (NDArray x : xs) {
      TapePlace place = placeOf(x);
      if (place == null) {
        throw notReached(x);
      }
      wanted.add(place);
    }
    var run = new BackwardRun(List.copyOf(ys), wanted, options);
    xs.stream().filter(it -> run.sum(placeOf(it)) == null).findFirst().ifPresent(it -> {
      throw notReached(it);
    });
    run.run(heads);
    return results(xs, run);
  }

  private static TapePlace placeOf(NDArray x) {
    TapePlace place = BackwardRun.place(x);
    if (place == null) {
      throw notReached(x);
    }
    return place;
  }

  private static List<NDArray> results(List<NDArray> xs, BackwardRun run) {
    List<NDArray> gradients = new ArrayList<>();
    for (NDArray x : xs) {
      GradientSum sum = run.sum(placeOf(x));
      SharedGradient total = sum == null ? null : sum.total();
      if (total == null) {
        gradients.add(x.runtime().zeros(x.dtype(), x.shape().extents()));
      } else if (total.isSole() && !gradients.contains(total.array())) {
        gradients.add(total.array());
      } else {
        gradients.add(total.array().copy());
      }
    }
    return List.copyOf(gradients);
  }

  private static IllegalArgumentException notReached(NDArray x) {
    return new IllegalArgumentException("no gradient leads to this array: array=%s; attach a gradient to it before the "
      .formatted(x.type()) + "results are recorded, or take it from the tape");
  }

  /**
   * A function with a gradient of its own (T-9).
   *
   * @param forward computes the results; what it does is not recorded
   * @param backward computes the gradients of the operands
   */
  public static DifferentiableFunction function(DifferentiableFunction.Forward forward,
    DifferentiableFunction.Backward backward) {
    return new DifferentiableFunction(forward, backward);
  }

  /**
   * Puts results that were computed in another way on the tape, if this thread records and an operand is on it.
   *
   * @param name of the call, for errors
   * @param results new arrays, which get places on the tape
   * @param saved arrays that the gradient reads
   * @return whether they are on the tape now
   * @throws IllegalStateException when an array is closed meanwhile; nothing is held then, and the gradient is given up
   */
  public static boolean recorded(String name, List<NDArray> operands, List<NDArray> results, List<NDArray> saved,
    TapedGradient gradient) {
    boolean isTaped = isRecording() && operands.stream().anyMatch(it -> TapeLink.liveOf(it) != null);
    if (isTaped) {
      new FunctionNode(results.get(0).runtime(), name, operands, results, saved, gradient).place(results);
    }
    return isTaped;
  }

  /** Whether operations over the array are recorded while a thread records. */
  public static boolean isOnTape(NDArray array) {
    return TapeLink.liveOf(array) != null;
  }

  /** Tells that the array's attached gradient has been used, as an optimizer does. */
  public static void gradientUsed(NDArray array) {
    if (FollowedCalls.placeOf(array) instanceof LeafGradient leaf) {
      leaf.used();
    }
  }

  /**
   * What was recorded for an array, as a symbol. Arrays that it was computed from are its variables {@code var0},
   * {@code var1} and so on, in the order of their first use; constants stay constants.
   *
   * @throws IllegalStateException when nothing was recorded for the array, or its tape was given up
   */
  public static Symbol symbolOf(NDArray y) {
    return TapeSymbol.of(y);
  }
}
