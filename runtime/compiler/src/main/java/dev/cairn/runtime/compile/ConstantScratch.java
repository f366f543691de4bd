package dev.cairn.runtime.compile;

import dev.cairn.allocator.Alignment;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Node;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** How much memory it takes to compute constants while they are placed, beside the constants themselves. */
public final class ConstantScratch {
  private ConstantScratch() {}

  /**
   * The most scratch memory that one of these constants takes, in bytes of chunks. They are computed one after the
   * other.
   */
  static long mostBytes(List<Node> constants) {
    return constants.stream().flatMap(it -> it.constant().stream()).mapToLong(ConstantScratch::bytesOf).max().orElse(0);
  }

  /** The needs of computing one constant in its final place: in chunks, taken and given back like a stack. */
  public static long bytesOf(ConstantSource source) {
    if (!(source instanceof ConstantSource.Computed computed)) {
      return 0;
    }
    OptionalInt inPlace = computed.computation().inPlace(computed.output());
    List<Optional<ConstantSource>> inputs = computed.inputs();
    long held = 0;
    long most = 0;
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).isPresent()) {
        ConstantSource input = inputs.get(i).get();
        held += inPlace.isPresent() && inPlace.getAsInt() == i ? 0 : operandBytes(input);
        most = Math.max(most, held + bytesOf(input));
      }
    }
    for (int i = 0; i < computed.outputs().size(); i++) {
      held += i == computed.output() ? 0 : chunk(computed.outputs().get(i).bytes());
    }
    long workspace = computed.computation().workspaceBytes();
    return Math.max(most, held + (workspace == 0 ? 0 : chunk(workspace)));
  }

  /** A value that lies in native memory is read there. */
  private static long operandBytes(ConstantSource input) {
    return input instanceof ConstantSource.Given(TensorView value) && value.segment().isNative()
      ? 0
      : chunk(input.type().bytes());
  }

  /** Bytes of the chunk for one value. */
  public static long chunk(long bytes) {
    return Alignment.up(Math.max(bytes, 1), Alignment.CHUNK_BYTES);
  }
}
