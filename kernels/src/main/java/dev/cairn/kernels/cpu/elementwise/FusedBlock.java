package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Broadcast;
import java.lang.foreign.MemorySegment;

/** One block of rows after the other: where its inputs are, and its steps run on it. For one thread. */
final class FusedBlock {
  private final KernelCall call;
  private final FusedSteps steps;
  private final PointwiseSlots slots;
  private final Broadcast broadcast;
  private final int axis;
  private final MemorySegment workspace;
  private final MemorySegment kernelSpace;
  private final long slotBytes;
  private final MemorySegment[] inputs;
  private final MemorySegment[] values;
  private FusedShapes shapes;

  FusedBlock(KernelCall call, FusedBlocks of, FusedShapes shapes, MemorySegment workspace) {
    this.call = call;
    this.steps = of.steps();
    this.slots = of.slots();
    this.broadcast = of.broadcast();
    this.axis = of.axis();
    this.workspace = workspace;
    this.kernelSpace = workspace.asSlice(workspace.byteSize() - steps.workspaceBytes());
    this.slotBytes = of.slotBytes();
    this.inputs = new MemorySegment[call.inputCount()];
    this.values = new MemorySegment[steps.kernels().size()];
    this.shapes = shapes;
  }

  long rows() {
    return shapes.rows();
  }

  /** From now on blocks are of these shapes. */
  void resize(FusedShapes others) {
    shapes = others;
  }

  /** Runs all steps on the rows from this one on, whose elements begin at {@code first} in the outputs. */
  void compute(long row, long first) {
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = part(call.input(i).segment(), shapes.inputBytes(i), offset(i, row), call.input(i).dtype().bytes());
    }
    for (int i = 0; i < values.length; i++) {
      int slot = slots.slot(i);
      int width = shapes.width(i);
      values[i] = slot < call.outputCount()
        ? part(call.output(slot).segment(), shapes.valueBytes(i), first, width)
        : workspace.asSlice((slot - call.outputCount()) * slotBytes, shapes.valueBytes(i));
      shapes.step(i).run(inputs, values, kernelSpace, call.stream());
    }
  }

  /** The offset of an input's part, in elements. */
  private long offset(int input, long row) {
    long from = 0;
    long rest = row;
    for (int k = axis; k > 0; k--) {
      long extent = broadcast.extent(k);
      long outer = rest / extent;
      from += (rest - outer * extent) * broadcast.stride(input, k);
      rest = outer;
    }
    return from + rest * broadcast.stride(input, 0);
  }

  private static MemorySegment part(MemorySegment whole, long bytes, long from, int width) {
    return whole.asSlice(from * width, bytes);
  }
}
