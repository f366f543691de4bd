package dev.cairn.runtime.invoke;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Owner;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.MemoryTraits;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one use of an operator runs. Immutable: one object serves all calls of that use, on all threads. */
public sealed interface Dispatch {
  /** One type for each result. */
  List<TensorType> results();

  /**
   * Nothing runs: the only result is the first operand's bytes under another shape.
   *
   * @param result the result's type
   */
  record Alias(TensorType result) implements Dispatch {
    @Override
    public List<TensorType> results() {
      return List.of(result);
    }
  }

  /**
   * Nothing runs: types and known values decide the only result, as for {@code Shape}.
   *
   * @param value the result
   */
  record Fixed(TensorView value) implements Dispatch {
    @Override
    public List<TensorType> results() {
      return List.of(value.type());
    }
  }

  /**
   * A kernel runs.
   *
   * @param row the preferred row that serves the call
   * @param kernel the row's kernel for calls of this signature
   * @param memory which results may lie over which operands
   * @param scratchBytes how much workspace the kernel needs
   * @param requests what memory each result needs, for the operator
   */
  record Compute(KernelRow row, Kernel kernel, KernelSignature signature, MemoryTraits memory, long scratchBytes,
    List<AllocationRequest> requests)
    implements
      Dispatch {
    public Compute(KernelRow row, Kernel kernel, KernelSignature signature, MemoryTraits memory, long scratchBytes) {
      this(row, kernel, signature, memory, scratchBytes, signature.outputs().stream().map(type -> AllocationRequest.of(
        type.bytes(), new Owner(row.operator(), "", type.toString()))).toList());
    }

    @Override
    public List<TensorType> results() {
      return signature.outputs();
    }

    Compute with(Kernel other) {
      return new Compute(row, other, signature, memory, scratchBytes, requests);
    }

    /**
     * Runs the kernel once; on a device with queues, adds the work to the stream.
     *
     * @param operands one for each operand of the use; null for an omitted one. The array becomes the call's
     * @param results one of each result type, over memory that the kernel writes. The array becomes the call's
     * @return the call, with results of strings as the kernel has made them
     * @param workspace at least {@link #scratchBytes}, aligned to 64 bytes
     */
    public KernelCall run(@Nullable TensorView[] operands, TensorView[] results, MemorySegment workspace,
      Stream stream) {
      KernelCall call = KernelCall.over(operands, results, signature.attributes(), workspace, stream);
      kernel.run(call);
      return call;
    }
  }
}
