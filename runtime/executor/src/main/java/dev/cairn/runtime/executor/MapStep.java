package dev.cairn.runtime.executor;

import dev.cairn.kernels.attribute.MapForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One run of an operator on maps. */
final class MapStep {
  private final DynamicRun run;
  private final Node node;
  private final MapForm form;

  MapStep(DynamicRun run, Node node) {
    this.run = run;
    this.node = node;
    try {
      form = MapForm.of(node.kind().attributes());
    } catch (IllegalArgumentException e) {
      throw fault(String.valueOf(e.getMessage()));
    }
  }

  private InvalidGraph fault(String message) {
    return new InvalidGraph(node.name(), "%s: %s".formatted(node.operator(), message));
  }

  /** {@code ZipMap}: rows of values, with a name for each column. */
  RunValue zipped() {
    RunValue.OfTensor given = run.tensor(node, 0);
    Shape shape = given.view().shape();
    TensorView keys = form.texts().isEmpty()
      ? TensorView.ofLongs(form.numbers().stream().mapToLong(Long::longValue).toArray())
      : StringElements.of(form.texts());
    if (shape.rank() < 1 || shape.rank() > 2 || shape.extent(-1) != keys.elementCount() || given.view()
      .dtype() != DType.FLOAT32) {
      throw fault("rows of float32 with one column for each label are needed: labels=%d input=%s".formatted(keys
        .elementCount(), given.view().type()));
    }
    TensorView rows = given.view().reshaped(Shape.of(shape.rank() == 1 ? 1 : shape.extent(0), shape.extent(-1)));
    if (given.block() == null) {
      return new RunValue.OfMap(new RunValue.OfTensor(keys, null), run.calls().copy(node, rows));
    }
    given.retain();
    return new RunValue.OfMap(new RunValue.OfTensor(keys, null), new RunValue.OfTensor(rows, given.block()));
  }

  private RunValue.OfMap map() {
    RunValue value = run.value(node.inputs().get(0));
    if (value instanceof RunValue.OfMap map && !map.isSequence()) {
      return map;
    }
    throw fault("a map is needed: given=" + ContainerStep.kind(value));
  }

  /** {@code DictVectorizer}: the values of the words of a vocabulary, in its order; 0 or an empty string for others. */
  RunValue vector() {
    RunValue.OfMap map = map();
    boolean areTexts = map.keys().view().dtype() == DType.STRING;
    List<?> vocabulary = areTexts ? form.texts() : form.numbers();
    if (vocabulary.isEmpty()) {
      throw fault("a vocabulary for keys of this type is missing: keys=" + map.keys().view().dtype());
    }
    Map<Object, Long> places = new TreeMap<>();
    for (long i = 0; i < map.keys().view().elementCount(); i++) {
      places.put(key(map.keys().view(), i), i);
    }
    return result(map.values().view(), vocabulary.stream().map(places::get).toList(), map.values().view().dtype(), "");
  }

  private static Object key(TensorView keys, long index) {
    return keys.dtype() == DType.STRING ? StringElements.at(keys, index) : (Object) keys.longAt(index);
  }

  /** {@code CastMap}: the values in the order of their keys, or each where its key says. */
  RunValue cast() {
    RunValue.OfMap map = map();
    TensorView keys = map.keys().view();
    if (keys.dtype() != DType.INT64) {
      throw fault("keys must be int64: keys=" + keys.dtype());
    }
    TreeMap<Long, Long> places = new TreeMap<>();
    for (long i = 0; i < keys.elementCount(); i++) {
      places.put(keys.longAt(i), i);
    }
    List<@Nullable Long> order = new ArrayList<>(places.values());
    if (form.isSparse()) {
      if (!places.isEmpty() && places.firstKey() < 0) {
        throw fault("a key says where its value stands, so it may not be negative: key=" + places.firstKey());
      }
      order.clear();
      for (long i = 0; i < form.width(); i++) {
        order.add(places.get(i));
      }
    }
    DType dtype = switch (form.result()) {
      case MapForm.TO_STRING -> DType.STRING;
      case MapForm.TO_INT64 -> DType.INT64;
      default -> DType.FLOAT32;
    };
    return result(map.values().view(), order, dtype, "0.f");
  }

  /**
   * One row.
   *
   * @param places of values; null for those that are missing
   * @param absent a missing string
   */
  private RunValue result(TensorView values, List<@Nullable Long> places, DType dtype, String absent) {
    Shape shape = Shape.of(1, places.size());
    if (dtype == DType.STRING) {
      List<String> texts = new ArrayList<>();
      places.forEach(place -> texts.add(place == null ? absent : text(values, place)));
      return new RunValue.OfTensor(StringElements.of(shape, texts), null);
    }
    double[] reals = new double[places.size()];
    long[] numbers = new long[places.size()];
    for (int i = 0; i < reals.length; i++) {
      Long place = places.get(i);
      if (place != null) {
        reals[i] = real(values, place);
        numbers[i] = values.dtype() == DType.INT64 ? values.longAt(place) : (long) reals[i];
      }
    }
    return run.calls().copy(node, switch (dtype) {
      case FLOAT64 -> new TensorView(new TensorType(dtype, shape), MemorySegment.ofArray(reals));
      case FLOAT32 -> TensorView.ofFloats(shape, floats(reals));
      case INT64 -> TensorView.ofLongs(numbers).reshaped(shape);
      default -> throw fault("values must be strings, int64, float32 or float64: values=" + dtype);
    });
  }

  private static float[] floats(double[] reals) {
    float[] floats = new float[reals.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) reals[i];
    }
    return floats;
  }

  private static String text(TensorView values, long index) {
    return values.dtype() == DType.STRING
      ? StringElements.at(values, index)
      : String.format(Locale.ROOT, "%f", values.doubleAt(index));
  }

  private double real(TensorView values, long index) {
    if (values.dtype() != DType.STRING) {
      return values.doubleAt(index);
    }
    String text = StringElements.at(values, index);
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw fault("not a number: value=\"%s\"".formatted(text));
    }
  }
}
