package dev.cairn.runtime.engine.queue;

import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.engine.stream.StreamWork;
import java.util.List;

/**
 * Several operations of a bulk that run as one while all their values are there. If one value was never computed, the
 * operations run one by one, so that each fails or succeeds as it does by itself. Engines look for it and never run it
 * as it stands.
 *
 * @param whole does what the operations do
 * @param parts the operations, in the order pushed
 */
public record FusedBody(FusedWork whole, List<Operation> parts) implements Runnable, StreamWork {
  public FusedBody {
    parts = List.copyOf(parts);
  }

  @Override
  public void run() {
    throw new AssertionError("fused operations run without their engine");
  }

  @Override
  public void run(Stream stream) {
    run();
  }
}
