package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.OperatorUse;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls of operators in a run without a plan, with memory for each result from the allocator.
 *
 * @param executor which has the kernels
 */
record DynamicCalls(DynamicExecutor executor, Allocator allocator) {
  /** How an operator runs on these operands, for a node. */
  Dispatch dispatch(Node node, String operator, Attributes attributes, int outputs,
    @Nullable TensorView[] operands) {
    @Nullable
    TensorType[] types = new TensorType[operands.length];
    for (int i = 0; i < operands.length; i++) {
      TensorView operand = operands[i];
      types[i] = operand == null ? null : operand.type();
    }
    return executor.dispatches().find(node.name(), OperatorUse.of(operator, attributes, outputs, types, operands));
  }

  /** Results of another operator that a node needs; the caller holds them. */
  List<RunValue.OfTensor> results(Node node, String operator, Attributes attributes, int outputs,
    TensorView... operands) {
    return computed(node, dispatch(node, operator, attributes, outputs, operands), operands);
  }

  /** A copy of a tensor, in memory of its own; the caller holds it. */
  RunValue.OfTensor copy(Node node, TensorView view) {
    if (view.dtype() == DType.STRING) {
      return new RunValue.OfTensor(view, null); // strings never change
    }
    RunValue.OfTensor copy = allocated(node, view.type());
    copy.view().segment().copyFrom(view.segment());
    return copy;
  }

  /** Memory for a tensor, which the caller holds; none for strings, which a kernel makes. */
  RunValue.OfTensor allocated(Node node, TensorType type) {
    if (type.dtype() == DType.STRING) {
      return new RunValue.OfTensor(new TensorView(type, MemorySegment.NULL), null);
    }
    Block block = allocator.allocate(Math.max(1, type.bytes()), "value/" + node.name());
    return new RunValue.OfTensor(new TensorView(type, block.segment().asSlice(0, type.bytes())), new SharedBlock(
      allocator, block));
  }

  /** Runs the node's kernel. The caller holds the results. */
  List<RunValue.OfTensor> computed(Node node, Dispatch dispatch, @Nullable TensorView[] operands) {
    List<RunValue.OfTensor> results = new ArrayList<>();
    Block scratch = null;
    try {
      for (TensorType type : dispatch.results()) {
        results.add(allocated(node, type));
      }
      if (dispatch instanceof Dispatch.Fixed(TensorView value)) {
        results.getFirst().view().segment().copyFrom(value.segment());
        return results;
      }
      if (!(dispatch instanceof Dispatch.Compute compute)) {
        throw new AssertionError("nothing to run: node=" + node.name());
      }
      long scratchBytes = compute.scratchBytes();
      scratch = scratchBytes == 0 ? null : allocator.allocate(scratchBytes, "workspace/" + node.name());
      MemorySegment workspace = scratch == null ? MemorySegment.NULL : scratch.segment().asSlice(0, scratchBytes);
      KernelCall done = compute.run(operands, results.stream().map(RunValue.OfTensor::view).toArray(TensorView[]::new),
        workspace, executor.device().defaultStream());
      // The next node's types may depend on these values.
      executor.device().defaultStream().synchronize();
      for (int i = 0; i < results.size(); i++) {
        results.set(i, new RunValue.OfTensor(done.output(i), results.get(i).block()));
      }
      return results;
    } catch (RuntimeException | Error e) {
      results.forEach(RunValue::release);
      throw e;
    } finally {
      if (scratch != null) {
        allocator.free(scratch);
      }
    }
  }
}
