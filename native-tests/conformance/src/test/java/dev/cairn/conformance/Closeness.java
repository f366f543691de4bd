package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Optional;

/**
 * How near two tensors must be: {@code |given - wanted| <= absolute + relative * |wanted|} for each element of a
 * float type, equal elements for every other type. NaN equals NaN, and an infinity equals itself.
 */
record Closeness(double relative, double absolute) {
  /** What the runner of the ONNX backend tests asks for. */
  static final Closeness OF_BACKEND_TESTS = new Closeness(1e-3, 1e-7);

  /** The first difference, in words; empty when there is none. */
  Optional<String> difference(TensorView wanted, TensorView given) {
    if (!wanted.type().equals(given.type())) {
      return Optional.of("%s instead of %s".formatted(given.type(), wanted.type()));
    }
    boolean real = wanted.dtype().isReal();
    for (long i = 0; i < wanted.elementCount(); i++) {
      boolean same = wanted.dtype() == DType.STRING
        ? StringElements.at(wanted, i).equals(StringElements.at(given, i))
        : real ? near(wanted.doubleAt(i), given.doubleAt(i)) : wanted.longAt(i) == given.longAt(i);
      if (!same) {
        return Optional.of("element %d of %s: %s instead of %s"
          .formatted(i, wanted.type(), text(given, i), text(wanted, i)));
      }
    }
    return Optional.empty();
  }

  private boolean near(double wanted, double given) {
    return Double.compare(wanted, given) == 0 || wanted == given
      || (Double.isFinite(wanted) && Math.abs(given - wanted) <= absolute + relative * Math.abs(wanted));
  }

  private static String text(TensorView view, long index) {
    if (view.dtype() == DType.STRING) {
      return '"' + StringElements.at(view, index) + '"';
    }
    return view.dtype().isReal() ? Double.toString(view.doubleAt(index)) : Long.toString(view.longAt(index));
  }
}
