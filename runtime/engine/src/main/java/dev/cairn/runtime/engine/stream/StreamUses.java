package dev.cairn.runtime.engine.stream;

import dev.cairn.kernels.device.Stream;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The work on streams that may still use a deleted variable. Any thread may ask, also when the engine is closed.
 * Usually one stream came last, and its work covers all earlier ones.
 */
public final class StreamUses implements BooleanSupplier {
  private final List<StreamMark> last;

  /** @param last the marks of the last work of each stream */
  public StreamUses(List<StreamMark> last) {
    this.last = last;
  }

  /** Whether no stream uses the variable any more. */
  @Override
  public boolean getAsBoolean() {
    return last.stream().allMatch(StreamMark::hasPassed);
  }

  /** How many streams may still use it, each without another one waiting for it. */
  public int count() {
    return last.size();
  }

  /** Where there is one: the stream. */
  public Stream stream() {
    return last.getFirst().stream().stream();
  }

  /** Where there is one: the mark of the stream that ends the last use. */
  public long mark() {
    return last.getFirst().mark();
  }
}
