package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The value of one attribute. Values compare by content; a tensor compares by its bytes. */
public sealed interface AttributeValue {

  /** An integer. */
  record Int(long value) implements AttributeValue {
    @Override
    public String toString() {
      return Long.toString(value);
    }
  }

  /** A real number. */
  record Real(float value) implements AttributeValue {
    @Override
    public String toString() {
      return Float.toString(value);
    }
  }

  /** A string, such as a padding mode. */
  record Text(String value) implements AttributeValue {
    @Override
    public String toString() {
      return '"' + value + '"';
    }
  }

  /** Integers, such as strides. */
  record Ints(List<Long> values) implements AttributeValue {
    public Ints {
      values = List.copyOf(values);
    }

    public static Ints of(long... values) {
      return new Ints(Arrays.stream(values).boxed().toList());
    }

    @Override
    public String toString() {
      return values.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }
  }

  /** Real numbers. */
  record Reals(List<Float> values) implements AttributeValue {
    public Reals {
      values = List.copyOf(values);
    }
  }

  /** Strings. */
  record Texts(List<String> values) implements AttributeValue {
    public Texts {
      values = List.copyOf(values);
    }
  }

  /** A small tensor, such as the fill value of {@code ConstantOfShape}. */
  record Tensor(TensorView value) implements AttributeValue {
    @Override
    public boolean equals(Object other) {
      return other instanceof Tensor(TensorView that)
        && value.type().equals(that.type())
        && value.segment().mismatch(that.segment()) == -1;
    }

    @Override
    public int hashCode() {
      return value.type().hashCode();
    }

    @Override
    public String toString() {
      return value.type().toString();
    }
  }
}
