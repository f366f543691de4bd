package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The steps of a program, each with the kernel that would run it alone: chosen for the
 * shapes of whole tensors, not of blocks.
 *
 * @param workspaceBytes the most that a kernel wants for a block
 */
record FusedSteps(PointwiseProgram program, List<Kernel> kernels, long workspaceBytes) {

  /** Empty when a step has no kernel, or a value is of a narrow type. */
  static Optional<FusedSteps> find(KernelCatalog catalog, KernelSignature signature) {
    PointwiseProgram program = PointwiseProgram.of(signature.attributes());
    if (signature.inputs().stream().flatMap(Optional::stream).anyMatch(it -> it.dtype().isNarrow()) || program.steps()
      .stream().anyMatch(it -> it.dtype().isNarrow())) {
      return Optional.empty();
    }
    List<Kernel> kernels = new ArrayList<>();
    long workspaceBytes = 0;
    for (Step step : program.steps()) {
      KernelSignature whole = signature(program, step, signature, false);
      Optional<KernelRow> row = catalog.find(step.operator(), whole);
      if (row.isEmpty()) {
        return Optional.empty();
      }
      kernels.add(row.get().kernel());
      workspaceBytes = Math.max(workspaceBytes, row.get().kernel().workspaceBytes(signature(program, step, signature,
        true)));
    }
    return Optional.of(new FusedSteps(program, kernels, workspaceBytes));
  }

  private static KernelSignature signature(PointwiseProgram program, Step step, KernelSignature all, boolean block) {
    TensorType output = all.output(0);
    List<Optional<TensorType>> inputs = new ArrayList<>();
    for (Operand operand : step.operands()) {
      inputs.add(switch (operand) {
        case Input(int index) -> Optional.of(all.input(index)).map(it -> block ? block(it.dtype()) : it);
        case Value(int read) -> Optional.of(output.withDType(program.steps().get(read).dtype()))
          .map(it -> block ? block(it.dtype()) : it);
        case PointwiseProgram.Absent() -> Optional.empty();
      });
    }
    TensorType result = block ? block(step.dtype()) : output.withDType(step.dtype());
    return new KernelSignature(inputs, List.of(result), step.attributes());
  }

  private static TensorType block(DType dtype) {
    return TensorType.of(dtype, FusedBlocks.BLOCK);
  }
}
