package dev.cairn.kernels.cpu.vector;

import java.util.OptionalInt;
import jdk.incubator.vector.FloatVector;

/** How wide the vectors are that the kernels of this package use. */
public final class VectorWidth {
  private VectorWidth() {}

  /** In bits; empty when Java was started without the module {@code jdk.incubator.vector}. */
  public static OptionalInt bits() {
    return VectorModule.isThere()
      ? OptionalInt.of(FloatVector.SPECIES_PREFERRED.vectorBitSize())
      : OptionalInt.empty();
  }
}
