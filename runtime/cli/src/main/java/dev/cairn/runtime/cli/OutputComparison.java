package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.cli.text.EscapedText;
import java.util.Locale;
import java.util.Optional;

/**
 * Compares an output with reference values: equal when |a - b| <= atol + rtol * |b| for every element. NaN meets NaN
 * only, and an infinity only itself. Strings must be equal.
 */
record OutputComparison(double rtol, double atol) {

  /** @throws Failure.Known with the worst element, when they differ */
  void require(String name, TensorView actual, TensorView expected) {
    if (!actual.type().equals(expected.type())) {
      throw new Failure.Known(ExitCode.COMPARISON_FAILED, "an output's type differs from its reference",
        "output=%s type=%s reference=%s".formatted(name, actual.type(), expected.type()),
        "check --shapes and the reference file");
    }
    difference(actual, expected).ifPresent(facts -> {
      throw new Failure.Known(ExitCode.COMPARISON_FAILED, "an output differs from its reference", "output=%s %s"
        .formatted(name, facts), "raise --rtol or --atol if the difference is acceptable");
    });
  }

  /** How many elements of two tensors of one type differ, and the worst of them; empty when none does. */
  Optional<String> difference(TensorView actual, TensorView expected) {
    long different = 0;
    long worst = -1;
    double worstExcess = 0;
    for (long i = 0; i < actual.elementCount(); i++) {
      double excess = excess(actual, expected, i);
      if (excess > 0) {
        different++;
        if (worst < 0 || excess > worstExcess) {
          worst = i;
          worstExcess = excess;
        }
      }
    }
    return different == 0
      ? Optional.empty()
      : Optional.of(String.format(Locale.ROOT,
        "different=%d of=%d worstAt=%d value=%s reference=%s rtol=%s atol=%s", different, actual.elementCount(), worst,
        element(actual, worst), element(expected, worst), rtol, atol));
  }

  /** By how much two elements differ more than they may; at most 0 when they are close enough. */
  private double excess(TensorView actual, TensorView expected, long index) {
    if (actual.dtype() == DType.STRING) {
      return StringElements.at(actual, index).equals(StringElements.at(expected, index)) ? 0 : Double.POSITIVE_INFINITY;
    }
    if (!actual.dtype().isReal()) {
      // In whole numbers, since the real ones have no room for 64 bits.
      long difference = Math.abs(actual.longAt(index) - expected.longAt(index));
      return difference == 0 ? 0 : difference - allowed((double) expected.longAt(index));
    }
    double a = actual.doubleAt(index);
    double b = expected.doubleAt(index);
    if (a == b || (Double.isNaN(a) && Double.isNaN(b))) {
      return 0;
    }
    return Double.isFinite(a) && Double.isFinite(b) ? Math.abs(a - b) - allowed(b) : Double.POSITIVE_INFINITY;
  }

  private double allowed(double expected) {
    return atol + rtol * Math.abs(expected);
  }

  private static String element(TensorView view, long index) {
    if (view.dtype() == DType.STRING) {
      return '"' + EscapedText.inLine(StringElements.at(view, index)) + '"';
    }
    return view.dtype().isReal() ? Double.toString(view.doubleAt(index)) : Long.toString(view.longAt(index));
  }
}
