package dev.cairn.runtime;

import dev.cairn.allocator.layer.Damage;
import dev.cairn.runtime.trace.TracedStep;
import java.util.List;

/**
 * A write outside a block of a session's memory, found in the block's red zone after a step: a fault of the step's
 * kernel, or of one that ran at the same time.
 */
public final class MemoryDamaged extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String node;
  private final transient List<Damage> damages;

  MemoryDamaged(TracedStep step, int number, List<Damage> damages) {
    super("a kernel wrote outside its memory: node=%s operator=%s kernel=%s step=%d damages=%s".formatted(step.node(),
      step.operator(), step.kernel(), number, damages));
    this.node = step.node();
    this.damages = List.copyOf(damages);
  }

  /** The step after which the damage was found. */
  public String node() {
    return node;
  }

  /** Each block that was written outside its bounds, with its owner. */
  public List<Damage> damages() {
    return damages;
  }
}
