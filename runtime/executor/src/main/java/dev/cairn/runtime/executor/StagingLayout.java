package dev.cairn.runtime.executor;

import dev.cairn.allocator.Alignment;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a graph's inputs and outputs lie in the memory that stages them. Small inputs come first, so that one copy
 * brings them all; then large inputs; then, in page-locked memory alone, small outputs. Large outputs have no place.
 *
 * @param inputs in the graph's order
 * @param outputs in the graph's order
 * @param smallInputBytes from the beginning on
 * @param inputBytes of all inputs
 * @param pinnedBytes of all inputs and the small outputs
 */
record StagingLayout(List<Slot> inputs, List<Slot> outputs, long smallInputBytes, long inputBytes, long pinnedBytes) {
  private static final long ALIGNMENT = 256;

  /** A place for one tensor; of a large output there is none, and the offset says nothing. */
  record Slot(TensorType type, long offset) {
    boolean isSmall() {
      return StagingLayout.isSmall(type);
    }

    MemorySegment in(MemorySegment memory) {
      return memory.asSlice(offset, type.bytes());
    }
  }

  static StagingLayout of(CompiledGraph graph) {
    List<TensorType> inputs = graph.graph().graph().inputs().stream().map(node -> graph.types().type(node.entry()))
      .toList();
    List<TensorType> outputs = graph.graph().graph().outputs().stream().map(it -> graph.types().type(it.entry()))
      .toList();
    long smallBytes = smallBytes(inputs);
    long inputBytes = inputs.stream().mapToLong(StagingLayout::laidBytes).sum();
    return new StagingLayout(slots(inputs, 0, smallBytes), slots(outputs, inputBytes, inputBytes), smallBytes,
      inputBytes, inputBytes + smallBytes(outputs));
  }

  private static List<Slot> slots(List<TensorType> types, long small, long large) {
    List<Slot> slots = new ArrayList<>();
    long nextSmall = small;
    long nextLarge = large;
    for (TensorType type : types) {
      slots.add(new Slot(type, isSmall(type) ? nextSmall : nextLarge));
      nextSmall += isSmall(type) ? laidBytes(type) : 0;
      nextLarge += isSmall(type) ? 0 : laidBytes(type);
    }
    return List.copyOf(slots);
  }

  private static boolean isSmall(TensorType type) {
    return type.bytes() <= LocatedView.STAGED_BYTES;
  }

  private static long smallBytes(List<TensorType> types) {
    return types.stream().filter(StagingLayout::isSmall).mapToLong(StagingLayout::laidBytes).sum();
  }

  private static long laidBytes(TensorType type) {
    return Alignment.up(type.bytes(), ALIGNMENT);
  }
}
