package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.NativeView;
import dev.cairn.runtime.graph.ConstantSource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes constants to the host's memory, and computes those that are not there yet. What is needed meanwhile comes from
 * an allocator, and is given back when a constant is written. Thread-safe as far as the computations are.
 */
final class ConstantWriter {
  private final Allocator allocator;

  /** @param allocator of the host's memory */
  ConstantWriter(Allocator allocator) {
    this.allocator = allocator;
  }

  /** Memory for one computation, given back when it ends. */
  private final class Scratch implements AutoCloseable {
    private final List<Block> blocks = new ArrayList<>();

    MemorySegment take(long bytes) {
      Block block = allocator.allocate(Math.max(bytes, 1), "weights/folding");
      blocks.add(block);
      return block.segment().asSlice(0, bytes);
    }

    @Override
    public void close() {
      blocks.forEach(allocator::free);
      if (!blocks.isEmpty()) {
        // Or regions of many sizes would stay, each too small for what comes next.
        allocator.trim();
      }
    }
  }

  /**
   * @param target native memory of exactly the constant's bytes
   * @throws dev.cairn.allocator.OutOfMemory when there is too little to compute it; nothing is held then
   */
  void write(ConstantSource source, MemorySegment target) {
    switch (source) {
      case ConstantSource.Given(TensorView value) -> {
        target.copyFrom(value.segment());
        release(value);
      }
      case ConstantSource.Computed computed -> compute(computed, target);
    }
  }

  /** Memory of the host for a constant that goes elsewhere, while it is handed on. */
  void handOn(ConstantSource source, Consumer<MemorySegment> receiver) {
    try (var scratch = new Scratch()) {
      MemorySegment room = scratch.take(source.type().bytes());
      write(source, room);
      receiver.accept(room);
    }
  }

  /** The file's pages have served: lets the system have them back. */
  static void release(TensorView value) {
    if (value.segment().isMapped()) {
      value.segment().unload();
    }
  }

  private void compute(ConstantSource.Computed source, MemorySegment target) {
    try (var scratch = new Scratch()) {
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
    }
  }

  private TensorView operand(ConstantSource input, Optional<MemorySegment> inPlace, Scratch scratch) {
    return switch (input) {
      case ConstantSource.Given(TensorView value) -> NativeView.of(value, (bytes, _) -> inPlace.orElseGet(
        () -> scratch.take(bytes)));
      case ConstantSource.Computed computed -> {
        MemorySegment room = inPlace.orElseGet(() -> scratch.take(computed.type().bytes()));
        compute(computed, room);
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
