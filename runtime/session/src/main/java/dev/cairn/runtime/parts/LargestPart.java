package dev.cairn.runtime.parts;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a graph for the largest types that it can have, in whose memory it runs for all types. The first part that
 * runs decides whether it pays. Not thread-safe.
 */
final class LargestPart {
  private final PartSource source;
  private final Map<String, TensorType> bounds;
  private @Nullable Graph part;
  private @Nullable PlannedExecutor executor;
  private boolean isGivenUp;

  /** @param bounds the largest types of the inputs; empty where they are not all known */
  LargestPart(PartSource source, Map<String, TensorType> bounds) {
    this.source = source;
    this.bounds = bounds;
  }

  /** The same part for other types, in this memory; empty where it does not serve them. */
  Optional<PlannedExecutor> within(Graph other, Map<String, TensorType> types) {
    Graph own = part;
    PlannedExecutor shared = executor;
    boolean isSame = own != null && other.outputs().equals(own.outputs()) && other.inputs().equals(own.inputs());
    return shared == null || isGivenUp || !isSame ? Optional.empty() : source.within(shared, other, types);
  }

  /** Plans for the largest types, if this part is the first; returns whether it did. */
  boolean plan(Graph first, CompiledGraph compiled) {
    if (part != null || isGivenUp || bounds.isEmpty()) {
      return false;
    }
    part = first;
    executor = source.largest(first, GraphRest.ofPart(first, bounds), compiled).orElse(null);
    return executor != null;
  }

  /** Gives no further part this memory, which takes too much; returns whether it gave it so far. */
  boolean giveUp() {
    boolean had = executor != null && !isGivenUp;
    isGivenUp = true;
    return had;
  }

  /** Closes the memory that was given up, when nothing runs in it any more. */
  void closeGivenUp() {
    if (isGivenUp) {
      close();
    }
  }

  void ifPlanned(Consumer<PlannedExecutor> action) {
    PlannedExecutor shared = executor;
    if (shared != null) {
      action.accept(shared);
    }
  }

  void close() {
    ifPlanned(PlannedExecutor::close);
    executor = null;
  }
}
