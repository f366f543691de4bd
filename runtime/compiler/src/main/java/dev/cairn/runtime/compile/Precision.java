package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.DType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The type in which Cairn computes a {@code float32} model. Inputs and outputs stay {@code float32}. */
public enum Precision {
  /** The types that the model declares. */
  AS_WRITTEN(null),
  /** Matrix products, and the values between them, with 11 significant bits; large numbers overflow. */
  FLOAT16(DType.FLOAT16),
  /** Like {@link #FLOAT16} with 8 significant bits and the range of {@code float32}. */
  BFLOAT16(DType.BFLOAT16);

  private final Optional<DType> half;

  Precision(@Nullable DType half) {
    this.half = Optional.ofNullable(half);
  }

  /** The 16-bit type, if this precision has one. */
  public Optional<DType> half() {
    return half;
  }

  /**
   * The precision with this name: {@code as-written}, {@code float16} or {@code bfloat16}.
   *
   * @throws IllegalArgumentException when no precision has this name
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
