package dev.cairn.kernels.cpu.text;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.StringKernel;
import dev.cairn.kernels.cpu.elementwise.CpuCast;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code Cast} from and to strings. Numbers are written as C's {@code %g} writes them, {@code float64} with 17 digits
 * and other floats with 8, and {@code NaN}, {@code INF} and {@code -INF}; booleans as 0 and 1. Text is read as a number
 * with or without exponent, or as one of those words in any case.
 */
public final class StringCast implements StringKernel {
  private static final int DIGITS = 8;
  private static final int DIGITS_OF_DOUBLE = 17;
  private static final int LEAST_EXPONENT = -4;

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.hasStrings();
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    if (x.dtype() != DType.STRING) {
      List<String> values = new ArrayList<>();
      for (long i = 0; i < x.elementCount(); i++) {
        values.add(written(x, i));
      }
      call.bindOutput(0, StringElements.of(x.shape(), values));
    } else if (call.output(0).dtype() == DType.STRING) {
      call.bindOutput(0, x);
    } else {
      TensorView[] operands = {numbers(x, call.output(0).dtype())};
      TensorView[] results = {call.output(0)};
      new CpuCast().run(new KernelCall(operands, results, call.attributes(), call.workspace(), call.stream()));
    }
  }

  private static String written(TensorView x, long index) {
    if (x.dtype() == DType.UINT64) {
      return Long.toUnsignedString(x.longAt(index));
    }
    return x.dtype().isFloat()
      ? written(x.doubleAt(index), x.dtype() == DType.FLOAT64 ? DIGITS_OF_DOUBLE : DIGITS)
      : Long.toString(x.longAt(index));
  }

  /** As {@code printf} writes {@code %.8g}. */
  private static String written(double value, int digits) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "INF" : "-INF";
    }
    if (value == 0) {
      return Double.doubleToRawLongBits(value) == 0 ? "0" : "-0";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN))
      .stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= LEAST_EXPONENT && exponent < digits) {
      return rounded.toPlainString();
    }
    String all = rounded.unscaledValue().abs().toString();
    return "%s%s%s%se%s%02d".formatted(value < 0 ? "-" : "", all.charAt(0), all.length() > 1 ? "." : "", all.substring(
      1), exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private static TensorView numbers(TensorView x, DType target) {
    int count = Math.toIntExact(x.elementCount());
    boolean real = target.isFloat();
    double[] reals = new double[real ? count : 0];
    long[] whole = new long[real ? 0 : count];
    for (int i = 0; i < count; i++) {
      String text = StringElements.at(x, i).strip();
      try {
        if (real) {
          reals[i] = real(text, target);
        } else {
          whole[i] = target == DType.UINT64 ? Long.parseUnsignedLong(text) : Long.parseLong(text);
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("not a number of this type: element=%d text=\"%s\" dtype=%s".formatted(i,
          text, target), e);
      }
    }
    return real
      ? new TensorView(x.type().withDType(DType.FLOAT64), MemorySegment.ofArray(reals))
      : new TensorView(x.type().withDType(target == DType.UINT64 ? DType.UINT64 : DType.INT64), MemorySegment.ofArray(
        whole));
  }

  /** Rounded once to the target where that is {@code float32}. */
  private static double real(String text, DType target) {
    String lower = text.toLowerCase(Locale.ROOT);
    String word = lower.startsWith("+") || lower.startsWith("-") ? lower.substring(1) : lower;
    @Nullable
    Double named = switch (word) {
      case "nan" -> Double.NaN;
      case "inf", "infinity" -> lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      default -> null;
    };
    if (named != null) {
      return named;
    }
    return target == DType.FLOAT32 ? Float.parseFloat(text) : Double.parseDouble(text);
  }
}
