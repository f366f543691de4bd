package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.CustomOperatorFailed;
import dev.cairn.runtime.graph.Computation;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.operator.MemoryTraits;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A node computed by a kernel that works in the host's memory.
 *
 * @param node the node's name. Two nodes that compute the same are not merged, as a model's equal weights are not
 */
record KernelComputation(String node, Dispatch.Compute kernel, Stream stream) implements Computation {
  @Override
  public long workspaceBytes() {
    return kernel.scratchBytes();
  }

  @Override
  public OptionalInt inPlace(int output) {
    return kernel.memory().inPlace().stream().filter(pair -> pair.output() == output && isAsLong(pair)).mapToInt(
      MemoryTraits.Pair::input).findFirst();
  }

  private boolean isAsLong(MemoryTraits.Pair pair) {
    KernelSignature signature = kernel.signature();
    if (!signature.has(pair.input())) {
      return false;
    }
    Optional<TensorType> input = signature.inputs().get(pair.input());
    return input.filter(it -> it.bytes() == signature.output(pair.output()).bytes()).isPresent();
  }

  @Override
  public void run(@Nullable TensorView[] inputs, TensorView[] outputs, MemorySegment workspace) {
    try {
      kernel.run(inputs, outputs, workspace, stream);
      stream.synchronize();
    } catch (ArithmeticException | IllegalArgumentException | IndexOutOfBoundsException
      | CustomOperatorFailed e) {
      // Kernels do not know nodes; here the node of the constant is added to their errors.
      var fault = new InvalidGraph(node, "%s cannot be computed from its constant inputs: %s".formatted(kernel.row()
        .operator(), e.getMessage()));
      fault.initCause(e);
      throw fault;
    }
  }
}
