package dev.cairn.runtime.autograd;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.TapePlace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gradient of one place while its terms arrive. Terms are added at once, but long sums of half-precision terms at
 * the end, in {@code float32}, as {@code pass.gradient} adds them.
 */
final class GradientSum {
  private static final int MOST_HALF_TERMS = 4;

  private final TensorType type;
  private final TapePlace place;
  private final List<SharedGradient> terms = new ArrayList<>(1);
  private int expected;

  /** @param place whose gradient it is */
  GradientSum(TensorType type, TapePlace place) {
    this.type = type;
    this.place = place;
  }

  TapePlace place() {
    return place;
  }

  /** One more link may bring terms. */
  void expect() {
    expected++;
  }

  /** A link has brought its terms, if any; whether it was the last. */
  boolean arrived() {
    expected--;
    return expected == 0;
  }

  /** Takes over the caller's hold of a term. */
  void add(SharedGradient term, boolean recorded) {
    if (terms.isEmpty() || type.dtype().isHalf()) {
      terms.add(term);
    } else {
      terms.set(0, sum(terms.get(0), term, recorded));
    }
  }

  /** The sum; null when no term has come. */
  @Nullable
  SharedGradient total() {
    if (terms.isEmpty()) {
      return null;
    }
    if (terms.size() > 1) {
      SharedGradient total = terms.size() > MOST_HALF_TERMS
        ? widened()
        : terms.stream().reduce((a, b) -> sum(a, b,
          true)).orElseThrow();
      terms.clear();
      terms.add(total);
    }
    return terms.get(0);
  }

  /** @param recorded whether sums are on a tape, where nothing is overwritten */
  private static SharedGradient sum(SharedGradient sum, SharedGradient term, boolean recorded) {
    SharedGradient total;
    if (sum.isSole() && !recorded) {
      sum.array().addi(term.array());
      total = sum;
    } else {
      total = new SharedGradient(sum.array().add(term.array()), SharedGradient.Bytes.OWN);
      sum.release();
    }
    term.release();
    return total;
  }

  private SharedGradient widened() {
    SharedGradient sum = cast(terms.get(0), DType.FLOAT32);
    for (SharedGradient term : terms.subList(1, terms.size())) {
      sum = sum(sum, cast(term, DType.FLOAT32), true);
    }
    return cast(sum, type.dtype());
  }

  private static SharedGradient cast(SharedGradient term, DType dtype) {
    NDArray array = term.array().astype(dtype);
    term.release();
    return new SharedGradient(array, SharedGradient.Bytes.OWN);
  }
}
