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

  /**
   * Several operations of one place and of normal property, as one that touches what they touch together.
   *
   * @param whole does what they do
   * @param parts in the order pushed, at least one
   */
  public static Operation operation(FusedWork whole, List<Operation> parts) {
    var touched = new FootprintUnion(false);
    parts.forEach(it -> touched.add(it.name(), it.footprint()));
    Operation last = parts.getLast();
    var body = new FusedBody(whole, parts);
    Runnable work = last.work() instanceof StreamBody ? new StreamBody(body) : body;
    return Operation.of("fused " + last.name(), touched.footprint(), work).on(last.place());
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
