package dev.cairn.kernels.cuda.epilogue;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.elementwise.CudaPointwiseSource;
import dev.cairn.kernels.cuda.elementwise.CudaPointwiseSource.Spread;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A source of products that applies the element function of a program to results before it stores them. It replaces
 * definitions of {@code tile.cuh} for plain results. It loads the program's other operands for several results before
 * it stores the first one, so these loads overlap.
 *
 * @param of the program's source; input 0 is {@link Spread#GIVEN}
 * @param product the source with the kernels, such as {@code gemm.cu}
 */
record CudaEpilogueSource(CudaPointwiseSource of, String product) {
  /** The source for a program after a product; empty if a step is not supported. */
  static Optional<String> of(KernelSignature pointwise, String product) {
    return new CudaEpilogueSource(CudaPointwiseSource.afterProduct(pointwise), product).text();
  }

  private Optional<String> text() {
    return of.elementFunction().map(it -> """
      #include "fused.cuh"
      typedef %s INDEX;

      %s
      struct Results {
      %s};
      struct Read {
      %s};
      __device__ __forceinline__ Read read(const Results& from, int64 at) {
        Read all;
      %s  return all;
      }
      __device__ __forceinline__ void store(const Results& to, int64 at, const Read& all, VALUE x0) {
        compute(%s);
      }
      #define RESULTS %s
      #define GIVEN_RESULTS Results{%s}
      #include "%s"
      """.formatted(of.index(), it, members(), values(), reads(), arguments(), parameters(), names(), product));
  }

  private IntStream inputs() {
    return IntStream.range(1, of.dtypes().size());
  }

  private IntStream results() {
    return IntStream.range(0, of.program().results().size());
  }

  private IntStream walks() {
    return IntStream.range(0, of.walks().size());
  }

  /** Lines for inputs, results and walks, in the order of {@link ProgramEpilogue}. */
  private String joined(String input, String result, String walk, String separator) {
    Stream<String> inputs = inputs().mapToObj(i -> input.formatted(of.input(i), i));
    Stream<String> results = results().mapToObj(i -> result.formatted(of.output(i), i));
    Stream<String> walks = walks().mapToObj(walk::formatted);
    return Stream.of(inputs, results, walks).flatMap(it -> it).collect(Collectors.joining(separator));
  }

  private String members() {
    return joined("  const %s* x%d;\n", "  %s* y%d;\n", "  const Walk& walk%d;\n", "");
  }

  private String parameters() {
    return joined("const %s* x%d", "%s* y%d", "Walk walk%d", ", ");
  }

  private String names() {
    return joined("x%2$d", "y%2$d", "walk%d", ", ");
  }

  private String values() {
    return inputs().mapToObj(i -> "  %s x%d;\n".formatted(of.input(i), i)).collect(Collectors.joining());
  }

  private String reads() {
    String located = walks().mapToObj(i -> "  INDEX at%d[3];\n  locate<INDEX>(from.walk%d, (INDEX) at, at%d);\n"
      .formatted(i, i, i)).collect(Collectors.joining());
    return located + inputs().mapToObj(i -> "  all.x%d = from.x%d[%s];\n".formatted(i, i, of.place(i, "at"))).collect(
      Collectors.joining());
  }

  private String arguments() {
    String read = inputs().mapToObj(i -> ", all.x" + i).collect(Collectors.joining());
    return "x0" + read + results().mapToObj(i -> ", to.y%d[at]".formatted(i)).collect(Collectors.joining());
  }
}
