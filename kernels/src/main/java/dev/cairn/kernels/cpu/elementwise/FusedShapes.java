package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A program's steps made ready for blocks of so many rows. For one thread. */
final class FusedShapes {
  private final long rows;
  private final TensorType[] inputs;
  private final TensorType[] values;
  private final BlockStep[] steps;

  /** One step on a block. */
  @FunctionalInterface
  interface BlockStep {
    /** Reads its operands where inputs and earlier values are; writes its own value. */
    void run(MemorySegment[] inputs, MemorySegment[] values, MemorySegment workspace, Stream stream);
  }

  /**
   * The shapes of blocks below an axis of the output.
   *
   * @param dtypes of the inputs
   */
  FusedShapes(FusedSteps of, List<DType> dtypes, Broadcast broadcast, int axis, long rows) {
    this.rows = rows;
    int rank = broadcast.axes() - axis;
    long[] extents = IntStream.range(0, rank).mapToLong(k -> k == 0 ? rows : broadcast.extent(axis + k)).toArray();
    this.inputs = new TensorType[dtypes.size()];
    for (int i = 0; i < inputs.length; i++) {
      int input = i;
      inputs[i] = new TensorType(dtypes.get(i), Shape.of(IntStream.range(0, rank).mapToLong(k -> broadcast.stride(input,
        axis + k) == 0 ? 1 : extents[k]).toArray()));
    }
    List<Step> all = of.program().steps();
    this.values = all.stream().map(step -> new TensorType(step.dtype(), Shape.of(extents))).toArray(TensorType[]::new);
    this.steps = IntStream.range(0, all.size()).mapToObj(i -> step(all.get(i), i, of.kernels().get(i))).toArray(
      BlockStep[]::new);
  }

  long rows() {
    return rows;
  }

  long inputBytes(int input) {
    return inputs[input].bytes();
  }

  long valueBytes(int step) {
    return values[step].bytes();
  }

  /** Bytes of an element of a step's value. */
  int width(int step) {
    return values[step].dtype().bytes();
  }

  BlockStep step(int index) {
    return steps[index];
  }

  private BlockStep step(Step step, int index, Kernel kernel) {
    List<Optional<TensorType>> types = new ArrayList<>();
    for (Operand operand : step.operands()) {
      types.add(switch (operand) {
        case Input(int input) -> Optional.of(inputs[input]);
        case Value(int read) -> Optional.of(values[read]);
        case PointwiseProgram.Absent() -> Optional.empty();
      });
    }
    List<Operand> operands = step.operands();
    if (kernel instanceof PlacedKernel placed) {
      return placed(placed.forShapes(new KernelSignature(types, List.of(values[index]), step.attributes())), operands,
        index);
    }
    return (given, made, workspace, stream) -> {
      @Nullable
      TensorView[] views = new TensorView[operands.size()];
      for (int k = 0; k < views.length; k++) {
        TensorType type = types.get(k).orElse(null);
        views[k] = type == null ? null : new TensorView(type, segment(operands.get(k), given, made));
      }
      kernel.run(new KernelCall(views, new TensorView[] {new TensorView(values[index], made[index])}, step.attributes(),
        workspace, stream));
    };
  }

  private static BlockStep placed(PlacedKernel.Placed kernel, List<Operand> operands, int index) {
    MemorySegment[] read = new MemorySegment[operands.size()];
    int[] from = operands.stream().mapToInt(it -> it instanceof Input(int input)
      ? input
      : it instanceof Value(int step)
        ? ~step
        : 0)
      .toArray();
    return (given, made, workspace, stream) -> {
      for (int k = 0; k < read.length; k++) {
        read[k] = from[k] >= 0 ? given[from[k]] : made[~from[k]];
      }
      kernel.run(read, made[index]);
      // The steps are kept for later calls, their memory is not.
      Arrays.fill(read, MemorySegment.NULL);
    };
  }

  private static MemorySegment segment(Operand operand, MemorySegment[] inputs, MemorySegment[] values) {
    return switch (operand) {
      case Input(int input) -> inputs[input];
      case Value(int step) -> values[step];
      case PointwiseProgram.Absent() -> throw new AssertionError("an operand that is left out is nowhere");
    };
  }
}
