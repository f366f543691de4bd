package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the text forms that types and attributes print, so that tests can be tables.
 *
 * <pre>
 * float32[2x3], int64[scalar]         types
 * float32[batchx3]                    declared types; a symbol may not contain an x
 * ?[2x3], float32[...], ?             open element type, open rank, both
 * int64:[2,-1], int64:5, float32:0.5  values: a list, scalars
 * string:[a,b]                        a list without quotation marks
 * {axis=1, perm=[0,2,1], mode="edge", alpha=0.5, value=bool:[1]}
 * </pre>
 */
public final class Notation {
  private Notation() {}

  public static TensorType type(String text) {
    return declaredType(text).known().orElseThrow(() -> new IllegalArgumentException("open extents: " + text));
  }

  public static DeclaredType declaredType(String text) {
    if (text.equals("?")) {
      return DeclaredType.OPEN;
    }
    int bracket = text.indexOf('[');
    if (bracket < 0 || !text.endsWith("]")) {
      throw new IllegalArgumentException("not a type: " + text);
    }
    String extents = text.substring(bracket + 1, text.length() - 1);
    List<Dimension> dimensions = extents.equals("scalar")
      ? List.of()
      : Arrays.stream(extents.split("x", -1)).map(Notation::dimension).toList();
    String element = text.substring(0, bracket);
    return new DeclaredType(element.equals("?") ? Optional.empty() : Optional.of(dtype(element)), extents.equals("...")
      ? Optional.empty()
      : Optional.of(dimensions));
  }

  private static Dimension dimension(String text) {
    return text.matches("\\d+") ? new Dimension.Fixed(Long.parseLong(text)) : new Dimension.Symbol(text);
  }

  private static DType dtype(String text) {
    return DType.valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** A value over Java heap memory, such as {@code int64:[2,-1]}. */
  public static TensorView value(String text) {
    int colon = text.indexOf(':');
    DType dtype = dtype(text.substring(0, colon));
    String elements = text.substring(colon + 1);
    boolean list = elements.startsWith("[");
    String[] parts = list ? elements.substring(1, elements.length() - 1).split(",") : new String[] {elements};
    int count = elements.equals("[]") ? 0 : parts.length;
    var type = new TensorType(dtype, list ? Shape.of(count) : Shape.SCALAR);
    if (dtype == DType.STRING) {
      return StringElements.of(type.shape(), Arrays.stream(parts).limit(count).map(String::strip).toList());
    }
    MemorySegment segment = MemorySegment.ofArray(new byte[Math.toIntExact(type.bytes())]);
    for (int i = 0; i < count; i++) {
      put(segment, dtype, i, parts[i].strip());
    }
    return new TensorView(type, segment);
  }

  private static void put(MemorySegment segment, DType dtype, int index, String text) {
    switch (dtype) {
      case FLOAT32 -> segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * index, Float.parseFloat(text));
      case FLOAT64 -> segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * index, Double.parseDouble(text));
      case INT64 -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * index, Long.parseLong(text));
      case INT32 -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * index, Integer.parseInt(text));
      case BOOL, INT8, UINT8 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) Integer.parseInt(text));
      default -> throw new IllegalArgumentException("no notation for values of this type: " + dtype);
    }
  }

  /** Attributes as {@link Attributes} prints them, braces included; empty text for none. */
  public static Attributes attributes(String text) {
    if (text.isBlank()) {
      return Attributes.NONE;
    }
    Map<String, AttributeValue> values = new HashMap<>();
    for (String pair : splitAtCommas(text.strip().substring(1, text.strip().length() - 1))) {
      String[] parts = pair.split("=", 2);
      values.put(parts[0].strip(), attribute(parts[1].strip()));
    }
    return Attributes.of(values);
  }

  private static AttributeValue attribute(String text) {
    if (text.startsWith("\"")) {
      return new AttributeValue.Text(text.substring(1, text.length() - 1));
    }
    if (text.startsWith("[")) {
      String inner = text.substring(1, text.length() - 1);
      if (inner.startsWith("\"")) {
        return new AttributeValue.Texts(splitAtCommas(inner).stream().map(it -> it.substring(1, it.length() - 1))
          .toList());
      }
      if (inner.contains(".")) {
        return new AttributeValue.Reals(splitAtCommas(inner).stream().map(Float::parseFloat).toList());
      }
      return AttributeValue.Ints.of(splitAtCommas(inner).stream().mapToLong(Long::parseLong).toArray());
    }
    if (text.contains(":")) {
      return new AttributeValue.Tensor(value(text));
    }
    return text.contains(".")
      ? new AttributeValue.Real(Float.parseFloat(text))
      : new AttributeValue.Int(Long.parseLong(text));
  }

  /** The parts of a text between commas that stand outside of brackets and quotation marks. */
  public static List<String> splitAtCommas(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      quoted ^= c == '"';
      if (c == ',' && depth == 0 && !quoted && !text.substring(start, i).isBlank()) {
        parts.add(text.substring(start, i).strip());
        start = i + 1;
      }
    }
    return parts;
  }
}
