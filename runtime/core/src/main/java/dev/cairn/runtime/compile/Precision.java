package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.DType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** In which type a {@code float32} model is computed; its inputs and outputs are {@code float32} whatever it is. */
public enum Precision {
  /** In the types that the model was written in. */
  AS_WRITTEN(null),
  /** Products, and what lies between them, in 11 bits of fraction; large numbers overflow. */
  FLOAT16(DType.FLOAT16),
  /** The same in 8 bits of fraction, with the range of {@code float32}. */
  BFLOAT16(DType.BFLOAT16);

  private final Optional<DType> half;

  Precision(@Nullable DType half) {
    this.half = Optional.ofNullable(half);
  }

  /** The type of 16 bits, if it is one. */
  public Optional<DType> half() {
    return half;
  }

  /**
   * By name: {@code as-written}, {@code float16}, {@code bfloat16}.
   *
   * @throws IllegalArgumentException when there is no such name
   */
  public static Precision of(String name) {
    return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("no such precision: precision=%s known=%s".formatted(name, Arrays.toString(
        values()))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
