package dev.cairn.runtime.engine.queue;

import dev.cairn.kernels.device.Stream;
import org.jspecify.annotations.Nullable;

/** Does what several operations would do one after the other. */
@FunctionalInterface
public interface FusedWork {
  /**
   * Does the work, or starts it on the stream. What this throws fails all the operations.
   *
   * @param stream which the engine chose; null on the host
   * @return false when it cannot do the work and has changed nothing: then the operations run one by one
   */
  boolean run(@Nullable Stream stream);
}
