package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The inputs of a run: read from files, or generated from a seed. Generated real numbers are uniform in [-1, 1); whole
 * numbers and truth values are 0 or 1, which are valid as indices, masks and token types alike, and strings are such
 * numbers as text.
 */
final class RunInputs implements AutoCloseable {
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();

  /** @param arrays by input name; an input without one is left to {@link #generate} */
  RunInputs(Map<String, TensorView> arrays) {
    arrays.forEach((name, array) -> tensors.put(name, array.dtype() == DType.STRING
      ? Tensor.copyOf(array)
      : Tensor.wrap(array.segment(), array.dtype(), array.shape().extents())));
  }

  /**
   * The shapes of all inputs so far, and those given by option.
   *
   * @throws IllegalArgumentException when the two say different things of one input
   */
  Map<String, Shape> shapes(Map<String, Shape> given) {
    Map<String, Shape> shapes = new TreeMap<>(given);
    tensors.forEach((name, tensor) -> {
      Shape other = shapes.put(name, tensor.shape());
      if (other != null && !other.equals(tensor.shape())) {
        throw new IllegalArgumentException(
          "an input's file and its --shapes differ: input=%s file=%s shapes=%s".formatted(
            name, tensor.shape(), other));
      }
    });
    return shapes;
  }

  /** Adds a generated tensor for each type whose name has none yet. */
  void generate(Map<String, TensorType> types, long seed) {
    var random = new SplittableRandom(seed);
    types.forEach((name, type) -> {
      // The generator is split for every name, so that a file for one input changes no other input.
      SplittableRandom own = random.split();
      if (!tensors.containsKey(name)) {
        tensors.put(name, generated(type, own));
      }
    });
  }

  Map<String, TensorType> types() {
    Map<String, TensorType> types = new LinkedHashMap<>();
    tensors.forEach((name, tensor) -> types.put(name, tensor.type()));
    return types;
  }

  /** The values of the tensors by input, without tensors of strings. */
  Map<String, TensorView> values() {
    Map<String, TensorView> values = new LinkedHashMap<>();
    tensors.forEach((name, tensor) -> {
      if (tensor.dtype() != DType.STRING) {
        values.put(name, tensor.view());
      }
    });
    return values;
  }

  Map<String, Tensor> tensors() {
    return tensors;
  }

  private static Tensor generated(TensorType type, SplittableRandom random) {
    if (type.dtype() == DType.STRING) {
      String[] texts = new String[Math.toIntExact(type.shape().elementCount())];
      Arrays.setAll(texts, _ -> Integer.toString(random.nextInt(2)));
      return Tensor.of(texts, type.shape().extents());
    }
    MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, type.bytes()), 64).asSlice(0, type.bytes());
    var view = new TensorView(type, memory);
    for (long i = 0; i < type.shape().elementCount(); i++) {
      double value = type.dtype().isReal() ? random.nextDouble(-1, 1) : random.nextInt(2);
      if (type.dtype().isNarrow()) {
        NarrowElements.setNearest(view, i, value);
      } else {
        set(memory, type.dtype(), i, value);
      }
    }
    return Tensor.wrap(memory, type.dtype(), type.shape().extents());
  }

  private static void set(MemorySegment memory, DType dtype, long index, double value) {
    long at = index * dtype.bytes();
    switch (dtype) {
      case FLOAT32 -> memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, (float) value);
      case FLOAT64 -> memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, value);
      case FLOAT16 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16((float) value));
      case BFLOAT16 ->
        memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) (Float.floatToIntBits((float) value) >>> 16));
      case INT64, UINT64 -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, (long) value);
      case INT32, UINT32 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) value);
      case INT16, UINT16 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) value);
      case INT8, UINT8, BOOL -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
      default -> throw new IllegalArgumentException("a narrow type or text: dtype=" + dtype);
    }
  }

  @Override
  public void close() {
    tensors.values().forEach(Tensor::close);
  }
}
