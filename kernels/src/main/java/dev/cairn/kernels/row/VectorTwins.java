package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.vector.VectorWidth;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Kernels over the Vector API, of which no class may be touched where Java was started without its module. */
final class VectorTwins {
  private VectorTwins() {}

  /**
   * The rows of a family.
   *
   * @param vector makes the rows of the vector kernels; called only if Java has the module
   */
  static List<KernelRow> with(List<KernelRow> portable, Supplier<List<KernelRow>> vector) {
    return VectorWidth.bits().isPresent()
      ? Stream.concat(portable.stream(), vector.get().stream()).toList()
      : portable;
  }
}
