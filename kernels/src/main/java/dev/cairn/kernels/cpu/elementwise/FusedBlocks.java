package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * How a program's elements are cut into blocks. A block is some rows of the output; a row is the part below one of its
 * axes. So each input's part of it is one piece of memory, that stretches to the block as the input does to the output,
 * and steps are run on blocks as on tensors.
 *
 * <pre> output 8x3x500, input 3x1:   axes 8 | 3 | 500   →   rows of 1,500, blocks of 2 rows, at most 4,096 elements
 * workspace, one part for each slice of the output:   | scratch values | the kernels' own | </pre>
 */
final class FusedBlocks {
  /** Elements of a block: a few of them fit into the first-level cache. */
  static final int BLOCK = 4096;
  /** Slices of the output, each of which one thread runs: more threads than this take no part. */
  private static final int MOST_SLICES = 16;
  private static final long ALIGNMENT = 64;

  private final FusedSteps steps;
  private final PointwiseSlots slots;
  private final Broadcast broadcast;
  private final List<DType> dtypes;
  private final int axis;
  private final long rowElements;
  private final long rows;
  private final long slotBytes;
  /** By the number of rows, those that no thread uses: to make them takes longer than to run a block. */
  private final Map<Long, Queue<FusedShapes>> idle = new ConcurrentHashMap<>();

  FusedBlocks(KernelSignature signature, PointwiseSlots slots, FusedSteps steps) {
    this.steps = steps;
    this.slots = slots;
    this.broadcast = Broadcast.of(signature.output(0).shape(), signature.inputs().stream().map(it -> it.orElseThrow()
      .shape()).toArray(Shape[]::new));
    this.dtypes = signature.inputs().stream().map(it -> it.orElseThrow().dtype()).toList();
    int last = broadcast.axes() - 1;
    long below = 1;
    while (last > 0 && below * broadcast.extent(last) <= BLOCK) {
      below *= broadcast.extent(last--);
    }
    this.axis = last;
    this.rowElements = below;
    this.rows = broadcast.elementCount() == 0 ? 0 : broadcast.elementCount() / below;
    this.slotBytes = BLOCK * (long) steps.program().steps().stream().mapToInt(it -> it.dtype().bytes()).max().orElse(1);
  }

  private long sliceBytes() {
    return Math.ceilDiv(slots.scratchCount() * slotBytes + steps.workspaceBytes(), ALIGNMENT) * ALIGNMENT;
  }

  /** The number is never larger for fewer elements, so that a plan for the largest shapes serves smaller ones. */
  private long slices() {
    return Math.min(MOST_SLICES, Math.ceilDiv(broadcast.elementCount(), BLOCK));
  }

  long workspaceBytes() {
    return slices() * sliceBytes();
  }

  void run(KernelCall call) {
    long slices = Math.min(slices(), rows);
    if (slices == 0) {
      return;
    }
    long ofSlice = Math.ceilDiv(rows, slices);
    CpuStream.of(call).parallel(slices, 1, (first, end) -> {
      for (long it = first; it < end; it++) {
        runSlice(call, it, Math.min(it * ofSlice, rows), Math.min((it + 1) * ofSlice, rows));
      }
    });
  }

  private void runSlice(KernelCall call, long slice, long first, long end) {
    MemorySegment workspace = call.workspace().asSlice(slice * sliceBytes(), sliceBytes());
    long extent = broadcast.extent(axis);
    long most = mostRows();
    Map<Long, FusedShapes> shapes = new HashMap<>();
    var block = new FusedBlock(call, this, shapes.computeIfAbsent(most, this::ofRows), workspace);
    for (long row = first; row < end;) {
      long count = Math.min(Math.min(most, end - row), extent - row % extent);
      if (count != block.rows()) {
        block.resize(shapes.computeIfAbsent(count, this::ofRows));
      }
      block.compute(row, row * rowElements);
      row += count;
    }
    shapes.forEach((count, each) -> idle.computeIfAbsent(count, _ -> new ConcurrentLinkedQueue<>()).add(each));
  }

  private long mostRows() {
    return Math.min(broadcast.extent(axis), BLOCK / rowElements);
  }

  /** For the calling thread alone, until it adds them to the idle ones. */
  private FusedShapes ofRows(long count) {
    Queue<FusedShapes> known = idle.get(count);
    FusedShapes last = known == null ? null : known.poll();
    return last == null ? new FusedShapes(steps, dtypes, broadcast, axis, count) : last;
  }

  FusedSteps steps() {
    return steps;
  }

  PointwiseSlots slots() {
    return slots;
  }

  Broadcast broadcast() {
    return broadcast;
  }

  int axis() {
    return axis;
  }

  long slotBytes() {
    return slotBytes;
  }
}
