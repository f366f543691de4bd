package dev.cairn.runtime.executor;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Owner;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.ConstantScratch;
import dev.cairn.runtime.compile.NativeView;
import dev.cairn.runtime.graph.ConstantSource;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Writes constants to the host's memory, and computes constants that are not there yet. Scratch memory for several
 * constants is one block of an allocator, a {@link Scratch}. Thread-safe as far as the computations are.
 */
final class ConstantWriter {
  private final Allocator allocator;

  /** @param allocator of the host's memory */
  ConstantWriter(Allocator allocator) {
    this.allocator = allocator;
  }

  /** Memory for computations, taken and given back like a stack. For one thread. */
  static final class Scratch implements AutoCloseable {
    private final MemorySegment room;
    private final Runnable release;
    private long used;

    private Scratch(MemorySegment room, Runnable release) {
      this.room = room;
      this.release = release;
    }

    private MemorySegment take(long bytes) {
      MemorySegment taken = room.asSlice(used, bytes);
      used += ConstantScratch.chunk(bytes);
      return taken;
    }

    /** Gives back what was taken last. */
    void giveBack(MemorySegment taken) {
      used -= ConstantScratch.chunk(taken.byteSize());
    }

    @Override
    public void close() {
      release.run();
    }
  }

  /** @param constant the name of the constant that needs the most of it */
  Scratch scratch(long bytes, String constant) {
    if (bytes == 0) {
      return new Scratch(MemorySegment.NULL, () -> {});
    }
    Block block = allocator.allocate(AllocationRequest.of(bytes, Owner.of("weights", "folding " + constant)));
    return new Scratch(block.segment(), () -> {
      allocator.free(block);
      // Otherwise the allocator would keep a region of this size.
      allocator.trim();
    });
  }

  /** Scratch memory that {@link #computed} takes for a constant; none for one that is given. */
  static long bytesToHandOn(ConstantSource source) {
    return source instanceof ConstantSource.Computed
      ? ConstantScratch.chunk(source.type().bytes()) + ConstantScratch.bytesOf(source)
      : 0;
  }

  /**
   * Writes a constant, and gives the pages of a mapped file back.
   *
   * @param target native memory of exactly the constant's bytes
   * @param room for computations, at least {@link ConstantScratch#bytesOf}
   */
  static void write(ConstantSource source, MemorySegment target, MemorySegment room) {
    write(source, target, new Scratch(room, () -> {}));
  }

  /** @param target native memory of exactly the constant's bytes */
  static void write(ConstantSource source, MemorySegment target, Scratch scratch) {
    switch (source) {
      case ConstantSource.Given(TensorView value) -> {
        target.copyFrom(value.segment());
        release(value);
      }
      case ConstantSource.Computed computed -> compute(computed, target, scratch);
    }
  }

  /** Computes a constant that goes elsewhere, in scratch memory, which the caller gives back. */
  static MemorySegment computed(ConstantSource.Computed source, Scratch scratch) {
    MemorySegment room = scratch.take(source.type().bytes());
    compute(source, room, scratch);
    return room;
  }

  /**
   * The value, with its pages read. Native code that found a page of a truncated file missing would end the process;
   * here the JVM throws instead.
   *
   * @throws InternalError when the file was truncated
   */
  static TensorView present(TensorView value) {
    if (value.segment().isMapped()) {
      value.segment().load();
    }
    return value;
  }

  /** The file's pages have served: lets the system have them back. */
  static void release(TensorView value) {
    if (value.segment().isMapped()) {
      value.segment().unload();
    }
  }

  private static void compute(ConstantSource.Computed source, MemorySegment target, Scratch scratch) {
    long before = scratch.used;
    OptionalInt inPlace = source.computation().inPlace(source.output());
    List<Optional<ConstantSource>> inputs = source.inputs();
    @Nullable
    TensorView[] operands = new TensorView[inputs.size()];
    for (int i = 0; i < operands.length; i++) {
      boolean over = inPlace.isPresent() && inPlace.getAsInt() == i;
      operands[i] = inputs.get(i).map(input -> operand(input, over ? Optional.of(target) : Optional.empty(), scratch))
        .orElse(null);
    }
    TensorView[] outputs = new TensorView[source.outputs().size()];
    for (int i = 0; i < outputs.length; i++) {
      TensorType type = source.outputs().get(i);
      outputs[i] = new TensorView(type, i == source.output() ? target : scratch.take(type.bytes()));
    }
    long workspace = source.computation().workspaceBytes();
    source.computation().run(operands, outputs, workspace == 0 ? MemorySegment.NULL : scratch.take(workspace));
    releaseAll(inputs);
    scratch.used = before;
  }

  private static TensorView operand(ConstantSource input, Optional<MemorySegment> inPlace, Scratch scratch) {
    return switch (input) {
      case ConstantSource.Given(TensorView value) -> NativeView.of(present(value), (bytes, _) -> inPlace.orElseGet(
        () -> scratch.take(bytes)));
      case ConstantSource.Computed computed -> {
        MemorySegment room = inPlace.orElseGet(() -> scratch.take(computed.type().bytes()));
        compute(computed, room, scratch);
        yield new TensorView(computed.type(), room);
      }
    };
  }

  private static void releaseAll(List<Optional<ConstantSource>> inputs) {
    for (Optional<ConstantSource> input : inputs) {
      if (input.isPresent() && input.get() instanceof ConstantSource.Given(TensorView value)) {
        release(value);
      }
    }
  }
}
