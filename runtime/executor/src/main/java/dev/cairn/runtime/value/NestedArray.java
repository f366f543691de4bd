package dev.cairn.runtime.value;

import dev.cairn.kernels.tensor.DType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Makes tensors of nested Java arrays. */
final class NestedArray {
  private final List<Long> shape = new ArrayList<>();
  private final Object flat;
  private int filled;

  private NestedArray(Object array) {
    Object row = array;
    long elements = 1;
    while (row.getClass().isArray()) {
      int length = Array.getLength(row);
      shape.add((long) length);
      elements = Math.multiplyExact(elements, length);
      if (!row.getClass().getComponentType().isArray()) {
        break;
      }
      if (length == 0) {
        throw new IllegalArgumentException("a nested array without rows has no shape: use of(values, shape)");
      }
      row = Objects.requireNonNull(Array.get(row, 0), "a row of a nested array is null");
    }
    Class<?> element = row.getClass().getComponentType();
    if (element == null || !(element.isPrimitive() || element == String.class)) {
      throw unsupported(array);
    }
    flat = Array.newInstance(element, Math.toIntExact(elements));
    fill(array, 0);
  }

  static Tensor tensor(Object array) {
    var nested = new NestedArray(array);
    long[] shape = nested.shape.stream().mapToLong(Long::longValue).toArray();
    return switch (nested.flat) {
      case float[] values -> Tensor.of(values, shape);
      case double[] values -> Tensor.of(values, shape);
      case long[] values -> Tensor.of(values, shape);
      case int[] values -> Tensor.of(values, shape);
      case short[] values -> Tensor.of(values, shape);
      case byte[] values -> Tensor.of(values, DType.INT8, shape);
      case boolean[] values -> Tensor.of(values, shape);
      case String[] values -> Tensor.of(values, shape);
      default -> throw unsupported(array);
    };
  }

  private static IllegalArgumentException unsupported(Object array) {
    return new IllegalArgumentException(
      "not an array of numbers, booleans or strings: given=" + array.getClass().getTypeName());
  }

  private void fill(Object row, int axis) {
    Objects.requireNonNull(row, "a row of a nested array is null");
    int length = Array.getLength(row);
    if (length != shape.get(axis)) {
      throw new IllegalArgumentException("rows differ in length: axis=%d first=%d other=%d".formatted(axis, shape.get(
        axis), length));
    }
    if (axis == shape.size() - 1) {
      System.arraycopy(row, 0, flat, filled, length);
      filled += length;
    } else {
      for (int i = 0; i < length; i++) {
        fill(Array.get(row, i), axis + 1);
      }
    }
  }
}
