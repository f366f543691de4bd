package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One block of elements after the other: where its inputs are, and its steps run on it. For one thread. */
final class FusedBlock {
  private final KernelCall call;
  private final FusedSteps steps;
  private final PointwiseSlots slots;
  private final MemorySegment workspace;
  private final MemorySegment kernelSpace;
  private final long slotBytes;
  private final @Nullable TensorView[] inputs;
  private final @Nullable TensorView[] values;
  private final TensorType[] fullBlocks = new TensorType[DType.values().length];
  private long first;
  private int length;

  FusedBlock(KernelCall call, FusedSteps steps, PointwiseSlots slots, MemorySegment workspace, long slotBytes) {
    this.call = call;
    this.steps = steps;
    this.slots = slots;
    this.workspace = workspace;
    this.kernelSpace = workspace.asSlice(workspace.byteSize() - steps.workspaceBytes());
    this.slotBytes = slotBytes;
    this.inputs = new TensorView[call.inputCount()];
    this.values = new TensorView[steps.kernels().size()];
    for (DType dtype : DType.values()) {
      fullBlocks[dtype.ordinal()] = TensorType.of(dtype, FusedBlocks.BLOCK);
    }
  }

  /** Goes on to these elements of the output. */
  void begin(long from, int count) {
    first = from;
    length = count;
  }

  /** Says where the block's elements of an input are: as many as the block has, or one that repeats. */
  void read(int input, long from, int count) {
    inputs[input] = view(call.input(input), from, count);
  }

  /** Writes the block's elements of an input side by side. */
  void stretch(int input, Broadcast broadcast, int piece) {
    TensorView from = call.input(input);
    TensorView to = scratch(from.dtype(), piece);
    int bytes = from.dtype().bytes();
    var copy = new UnitLoop(from.segment(), to.segment(), bytes);
    var runs = broadcast.runs(first, first + length);
    while (runs.next()) {
      copy.run(runs.length(), runs.offset(0) * bytes, broadcast.step(0) * bytes, (runs.output() - first) * bytes,
        bytes);
    }
    inputs[input] = to;
  }

  /** Runs all steps. */
  void compute() {
    List<Step> all = steps.program().steps();
    for (int i = 0; i < values.length; i++) {
      Step step = all.get(i);
      int slot = slots.slot(i);
      TensorView value = slot < call.outputCount()
        ? view(new TensorView(call.output(slot).type().withDType(step.dtype()), call.output(slot).segment()), first,
          length)
        : scratch(step.dtype(), slot - call.outputCount());
      @Nullable
      TensorView[] operands = new TensorView[step.operands().size()];
      for (int k = 0; k < operands.length; k++) {
        operands[k] = operand(step.operands().get(k));
      }
      steps.kernels().get(i).run(new KernelCall(operands, new TensorView[]{value}, step.attributes(), kernelSpace, call
        .stream()));
      values[i] = value;
    }
  }

  private @Nullable TensorView operand(Operand operand) {
    return operand instanceof Input(int input) ? inputs[input] : operand instanceof Value(int step) ? values[step]
      : null;
  }

  private TensorView scratch(DType dtype, int piece) {
    return new TensorView(type(dtype, length), workspace.asSlice(piece * slotBytes, (long) length * dtype.bytes()));
  }

  private TensorView view(TensorView whole, long from, int count) {
    int bytes = whole.dtype().bytes();
    return new TensorView(type(whole.dtype(), count), whole.segment().asSlice(from * bytes, (long) count * bytes));
  }

  private TensorType type(DType dtype, int count) {
    return count == FusedBlocks.BLOCK ? fullBlocks[dtype.ordinal()] : TensorType.of(dtype, count);
  }
}
