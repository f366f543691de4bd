package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How a program's elements are cut into blocks, and where a block's values lie. A block is a stretch of the output in
 * which each input walks on or repeats one element. Where such stretches would be short, inputs that are neither as
 * large as the output nor single are stretched into scratch first, and blocks are as long as can be.
 *
 * <pre> workspace, one part for each slice of the output:   | scratch values | stretched inputs | kernels' own | </pre>
 */
final class FusedBlocks {
  /** Elements of a block: a few of them fit into the first-level cache. */
  static final int BLOCK = 2048;
  /** Slices of the output, each of which one thread runs: more threads than this take no part. */
  private static final int MOST_SLICES = 16;
  private static final int SHORT_RUN = 256;
  private static final long ALIGNMENT = 64;

  private final FusedSteps steps;
  private final PointwiseSlots slots;
  private final Broadcast broadcast;
  private final Optional<Broadcast>[] stretched;
  private final long slotBytes;
  private final int stretchedCount;

  FusedBlocks(KernelSignature signature, PointwiseSlots slots, FusedSteps steps) {
    this.steps = steps;
    this.slots = slots;
    Shape shape = signature.output(0).shape();
    Shape[] inputs = IntStream.range(0, signature.inputs().size()).mapToObj(it -> signature.input(it).shape())
      .toArray(Shape[]::new);
    Broadcast direct = Broadcast.of(shape, inputs);
    boolean stretches = direct.runLength() < Math.min(SHORT_RUN, direct.elementCount());
    this.stretched = stretched(shape, inputs, stretches);
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = stretched[i].isPresent() ? shape : inputs[i];
    }
    this.broadcast = stretches ? Broadcast.of(shape, inputs) : direct;
    this.stretchedCount = (int) IntStream.range(0, inputs.length).filter(it -> stretched[it].isPresent()).count();
    this.slotBytes = BLOCK * (long) widest(signature);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of optionals
  private static Optional<Broadcast>[] stretched(Shape shape, Shape[] inputs, boolean stretches) {
    Optional[] all = new Optional[inputs.length];
    for (int i = 0; i < inputs.length; i++) {
      long count = inputs[i].elementCount();
      all[i] = stretches && count != 1 && count != shape.elementCount()
        ? Optional.of(Broadcast.of(shape, inputs[i]))
        : Optional.empty();
    }
    return all;
  }

  private int widest(KernelSignature signature) {
    int ofInputs = signature.inputs().stream().flatMap(Optional::stream).mapToInt(it -> it.dtype().bytes()).max()
      .orElse(1);
    return Math.max(ofInputs, steps.program().steps().stream().mapToInt(it -> it.dtype().bytes()).max().orElse(1));
  }

  private long sliceBytes() {
    long bytes = (slots.scratchCount() + stretchedCount) * slotBytes + steps.workspaceBytes();
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  private long slices() {
    return Math.min(MOST_SLICES, Math.ceilDiv(broadcast.elementCount(), BLOCK));
  }

  long workspaceBytes() {
    return slices() * sliceBytes();
  }

  void run(KernelCall call) {
    long count = broadcast.elementCount();
    long slices = slices();
    if (slices == 0) {
      return;
    }
    long slice = Math.ceilDiv(Math.ceilDiv(count, slices), BLOCK) * BLOCK;
    CpuStream.of(call).parallel(slices, 1, (first, end) -> {
      for (long it = first; it < end; it++) {
        runSlice(call, it, Math.min(it * slice, count), Math.min((it + 1) * slice, count));
      }
    });
  }

  private void runSlice(KernelCall call, long slice, long first, long end) {
    MemorySegment workspace = call.workspace().asSlice(slice * sliceBytes(), sliceBytes());
    var block = new FusedBlock(call, steps, slots, workspace, slotBytes);
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      for (long at = 0; at < runs.length(); at += BLOCK) {
        int length = (int) Math.min(BLOCK, runs.length() - at);
        block.begin(runs.output() + at, length);
        int piece = slots.scratchCount();
        for (int i = 0; i < stretched.length; i++) {
          if (stretched[i].isPresent()) {
            block.stretch(i, stretched[i].get(), piece++);
          } else {
            block.read(i, runs.offset(i) + at * broadcast.step(i), broadcast.step(i) == 0 ? 1 : length);
          }
        }
        block.compute();
      }
    }
  }
}
