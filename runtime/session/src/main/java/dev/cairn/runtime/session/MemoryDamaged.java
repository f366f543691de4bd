package dev.cairn.runtime.session;

import dev.cairn.allocator.layer.Damage;
import dev.cairn.runtime.trace.TracedStep;
import java.util.List;

/**
 * A kernel wrote outside a block of the session's memory. The session found the damage in the block's red zone after a
 * step; that step's kernel, or one that ran concurrently, has the fault.
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

  /** The step after which the session found the damage. */
  public String node() {
    return node;
  }

  /** Each block with a damaged red zone, and its owner. */
  public List<Damage> damages() {
    return damages;
  }
}
