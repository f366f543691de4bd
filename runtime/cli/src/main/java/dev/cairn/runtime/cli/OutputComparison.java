package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.cli.npy.NpyFile;
import dev.cairn.runtime.cli.option.NamedFile;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Compares outputs with reference values: equal when |a - b| <= atol + rtol * |b| for every element, and NaN meets NaN.
 */
record OutputComparison(double rtol, double atol) {

  /** @throws Failure.Known with the worst element, when an output differs */
  void require(Result result, List<NamedFile> references) throws IOException {
    for (NamedFile reference : references) {
      require(reference.name(), result.get(reference.name()).view(), NpyFile.read(reference.file()));
    }
  }

  private void require(String name, TensorView actual, TensorView expected) {
    if (!actual.type().equals(expected.type())) {
      throw new Failure.Known(ExitCode.COMPARISON_FAILED, "an output is of another type than its reference", "output=%s type=%s reference=%s"
        .formatted(name, actual.type(), expected.type()), "check --shapes and the reference file");
    }
    long different = 0;
    long worst = -1;
    double worstExcess = 0;
    for (long i = 0; i < actual.elementCount(); i++) {
      double excess = excess(actual.doubleAt(i), expected.doubleAt(i));
      if (excess > 0) {
        different++;
        if (worst < 0 || excess > worstExcess) {
          worst = i;
          worstExcess = excess;
        }
      }
    }
    if (different > 0) {
      throw new Failure.Known(ExitCode.COMPARISON_FAILED, "an output differs from its reference", String.format(Locale.ROOT,
        "output=%s different=%d of %d, worst at %d: value=%.8g reference=%.8g rtol=%g atol=%g", name, different, actual
          .elementCount(), worst, actual.doubleAt(worst), expected.doubleAt(worst), rtol, atol),
        "raise --rtol or --atol if the difference is acceptable");
    }
  }

  /** By how much two values differ more than they may; at most 0 when they are close enough. */
  private double excess(double actual, double expected) {
    if (Double.isNaN(actual) || Double.isNaN(expected)) {
      return Double.isNaN(actual) && Double.isNaN(expected) ? 0 : Double.POSITIVE_INFINITY;
    }
    return actual == expected ? 0 : Math.abs(actual - expected) - (atol + rtol * Math.abs(expected));
  }
}
