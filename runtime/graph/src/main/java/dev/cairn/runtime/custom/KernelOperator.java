package dev.cairn.runtime.custom;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.TypeRule;
import dev.cairn.runtime.operator.gradient.GradientRule;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * An operator of a user with kernels of its own. Immutable.
 *
 * <pre>{@code
 * KernelOperator square = KernelOperator.of("my::Square", 1, context -> List.of(context.input(0)))
 *   .withKernel(call -> square(call.input(0).segment(), call.output(0).segment()))
 *   .withMemory(MemoryTraits.FIRST_IN_PLACE);
 * }</pre>
 *
 * @param types from the inputs' types, attributes and known values to the results' types
 * @param memory which results may lie over which inputs, or that the result is the first input under another shape
 * @param isPure whether equal inputs give equal results; then uses may be merged, or computed before a run
 * @param kernel computes the results in host memory. One object serves all threads. It must not write its inputs
 * @param scratchBytes bytes of workspace that one call of {@code kernel} needs; empty for none
 * @param cuda computes the results on a GPU. Without it, a GPU copies operands to the host for {@code kernel}
 * @param gradient builds the gradients of the inputs; empty if there is none
 */
public record KernelOperator(String name, int minInputs, int maxInputs, int results, TypeRule types,
  MemoryTraits memory, boolean isPure, Optional<Kernel> kernel, Optional<ToLongFunction<KernelSignature>> scratchBytes,
  Optional<CudaKernelSource> cuda, Optional<GradientRule> gradient) implements CustomOperator {

  public KernelOperator {
    OperatorName.require(name, minInputs, maxInputs, results);
    for (MemoryTraits.Pair pair : memory.inPlace()) {
      if (pair.input() < 0 || pair.input() >= maxInputs || pair.output() < 0 || pair.output() >= results) {
        throw new IllegalArgumentException("no such input or result: name=%s inPlace=%s".formatted(name, pair));
      }
    }
    if (memory.alias() && (results != 1 || minInputs < 1)) {
      throw new IllegalArgumentException("an alias has an input and one result: name=%s inputs=%d results=%d".formatted(
        name, minInputs, results));
    }
  }

  /**
   * A pure operator with one result, so far without kernels.
   *
   * @param name domain and name, as in {@code my::Square}
   * @param inputs how many inputs it has, none of them optional
   * @throws IllegalArgumentException when the name has no domain or is one of Cairn's own
   */
  public static KernelOperator of(String name, int inputs, TypeRule types) {
    return new KernelOperator(name, inputs, inputs, 1, types, MemoryTraits.NONE, true, Optional.empty(), Optional
      .empty(), Optional.empty(), Optional.empty());
  }

  /** This operator with optional inputs: at least {@code least}, at most {@code most}. */
  public KernelOperator withInputs(int least, int most) {
    return new KernelOperator(name, least, most, results, types, memory, isPure, kernel, scratchBytes, cuda, gradient);
  }

  public KernelOperator withResults(int count) {
    return new KernelOperator(name, minInputs, maxInputs, count, types, memory, isPure, kernel, scratchBytes, cuda,
      gradient);
  }

  /**
   * This operator with memory traits. A pair in place promises that the kernel reads each element of the input, and
   * everything that an element depends on, before it writes there. {@link OperatorRegistry#checked} tests the promise.
   */
  public KernelOperator withMemory(MemoryTraits traits) {
    return new KernelOperator(name, minInputs, maxInputs, results, types, traits, isPure, kernel, scratchBytes, cuda,
      gradient);
  }

  /** This operator for results that may differ for equal inputs: uses are never merged, nor computed before a run. */
  public KernelOperator withoutPurity() {
    return new KernelOperator(name, minInputs, maxInputs, results, types, memory, false, kernel, scratchBytes, cuda,
      gradient);
  }

  /** This operator with a kernel on the processor that needs no scratch memory. */
  public KernelOperator withKernel(Kernel onHost) {
    return new KernelOperator(name, minInputs, maxInputs, results, types, memory, isPure, Optional.of(onHost), Optional
      .empty(), cuda, gradient);
  }

  /** This operator with a kernel on the processor and the scratch memory that one call needs. */
  public KernelOperator withKernel(Kernel onHost, ToLongFunction<KernelSignature> bytes) {
    return new KernelOperator(name, minInputs, maxInputs, results, types, memory, isPure, Optional.of(onHost), Optional
      .of(bytes), cuda, gradient);
  }

  /** This operator with a kernel in CUDA C for GPUs. */
  public KernelOperator withCuda(CudaKernelSource source) {
    return new KernelOperator(name, minInputs, maxInputs, results, types, memory, isPure, kernel, scratchBytes, Optional
      .of(source), gradient);
  }

  /**
   * This operator with a gradient, which is built of other operators: in graphs, on the tape of arrays and in training.
   */
  public KernelOperator withGradient(GradientRule rule) {
    return new KernelOperator(name, minInputs, maxInputs, results, types, memory, isPure, kernel, scratchBytes, cuda,
      Optional.of(rule));
  }
}
