package dev.cairn.kernels.cpu.elementwise;

import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** What a copy of a {@link LaneLoop} is made for: its vectors, and what it does with two of them. */
record LaneFunction(VectorSpecies<?> species, VectorOperators.Operator operator) {
  /** Vectors whose elements nobody looks at as objects. */
  @SuppressWarnings("unchecked")
  VectorSpecies<Object> vectors() {
    return (VectorSpecies<Object>) species;
  }

  /** Vectors of as many whole numbers, with as many bits. */
  static VectorSpecies<?> bits(VectorSpecies<?> species) {
    Class<?> whole = switch (species.elementSize()) {
      case Byte.SIZE -> byte.class;
      case Short.SIZE -> short.class;
      case Integer.SIZE -> int.class;
      default -> long.class;
    };
    return VectorSpecies.of(whole, species.vectorShape());
  }
}
