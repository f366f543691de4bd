package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Scalars;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Elements as text of one width, aligned at the point. At most four digits behind it; scientific if the largest
 * magnitude is 1e8 or more, or the smallest that is not zero is below 1e-4. Half and narrow types have the fewest
 * digits that read back. Does not depend on the locale.
 */
final class NumberText {
  private static final int DIGITS = 4;
  private static final double LARGE = 1e8;
  private static final double SMALL = 1e-4;
  private static final int MOST_HALF_DIGITS = 5;

  private final Map<Long, String> texts = new HashMap<>();
  private int before;
  private int behind;

  private NumberText() {}

  /** @param places flat indexes of the elements that will be asked for */
  static NumberText of(TensorView view, List<Long> places) {
    var made = new NumberText();
    boolean scientific = view.dtype().isReal() && isScientific(view, places);
    for (long place : places) {
      String text = text(view, place, scientific);
      made.texts.put(place, text);
      made.before = Math.max(made.before, pointOf(text));
      made.behind = Math.max(made.behind, text.length() - pointOf(text));
    }
    return made;
  }

  /** Padded on both sides, so that points stand below each other. */
  String text(long place) {
    String text = texts.getOrDefault(place, "");
    return " ".repeat(before - pointOf(text)) + text + " ".repeat(behind - (text.length() - pointOf(text)));
  }

  /** Words, as nan, end where numbers have their point. */
  private static int pointOf(String text) {
    int point = text.indexOf('.');
    int exponent = text.indexOf('e', 1);
    boolean hasExponent = exponent > 0 && Character.isDigit(text.charAt(exponent - 1));
    return point >= 0 ? point : hasExponent ? exponent : text.length();
  }

  private static boolean isScientific(TensorView view, List<Long> places) {
    for (long place : places) {
      double size = Math.abs(view.doubleAt(place));
      if (size > 0 && !Double.isInfinite(size) && (size >= LARGE || size < SMALL)) {
        return true;
      }
    }
    return false;
  }

  private static String text(TensorView view, long place, boolean scientific) {
    return switch (view.dtype()) {
      case BOOL -> view.longAt(place) != 0 ? "true" : "false";
      case UINT64 -> Long.toUnsignedString(view.longAt(place));
      case DType dtype when dtype.isReal() -> text(dtype, view.doubleAt(place), scientific);
      default -> Long.toString(view.longAt(place));
    };
  }

  private static String text(DType dtype, double value, boolean scientific) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    String sign = value < 0 || 1 / value < 0 ? "-" : "";
    if (Double.isInfinite(value)) {
      return sign + "inf";
    }
    if (value == 0) {
      return sign + "0";
    }
    BigDecimal size = new BigDecimal(Math.abs(value));
    boolean isShort = dtype.isHalf() || dtype.isNarrowFloat();
    BigDecimal shown = isShort ? shortest(dtype, Math.abs(value)) : size;
    return sign + (scientific ? scientific(shown, isShort) : fixed(shown, isShort));
  }

  private static String fixed(BigDecimal value, boolean isShortest) {
    BigDecimal rounded = isShortest ? value : value.setScale(DIGITS, RoundingMode.HALF_EVEN);
    return rounded.stripTrailingZeros().toPlainString();
  }

  private static String scientific(BigDecimal value, boolean isShortest) {
    BigDecimal rounded = (isShortest ? value : value.round(new MathContext(DIGITS + 1, RoundingMode.HALF_EVEN)))
      .stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    String digits = rounded.unscaledValue().toString();
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    return "%c%se%s%s%d".formatted(digits.charAt(0), fraction, exponent < 0 ? "-" : "+", Math.abs(exponent) < 10
      ? "0"
      : "", Math.abs(exponent));
  }

  private static BigDecimal shortest(DType dtype, double value) {
    for (int digits = 1; digits <= MOST_HALF_DIGITS; digits++) {
      BigDecimal tried = new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (Scalars.rounded(dtype, tried.doubleValue()) == value) {
        return tried;
      }
    }
    return new BigDecimal(value);
  }
}
