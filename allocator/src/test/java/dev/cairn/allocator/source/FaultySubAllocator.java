package dev.cairn.allocator.source;

import dev.cairn.allocator.MemorySpace;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A source that fails when told to: each call to it has a number, and the plan says how that call goes. */
public final class FaultySubAllocator implements SubAllocator {
  /** How a call goes. */
  public enum Fault {
    /** Makes no fault: does what the source below does. */
    NONE,
    /** Nothing is given. */
    REFUSE,
    /** A {@link RuntimeException}. */
    THROW,
    /** An {@link OutOfMemoryError}. */
    ERROR
  }

  private final SubAllocator upstream;
  private final LongFunction<Fault> plan;
  private long calls;

  public FaultySubAllocator(SubAllocator upstream, LongFunction<Fault> plan) {
    this.upstream = upstream;
    this.plan = plan;
  }

  /** Calls of {@link #allocate} and {@link #release} so far. */
  public long calls() {
    return calls;
  }

  @Override
  public MemorySpace space() {
    return upstream.space();
  }

  @Override
  public long granularityBytes() {
    return upstream.granularityBytes();
  }

  @Override
  public long maximumRegionBytes() {
    return upstream.maximumRegionBytes();
  }

  @Override
  public boolean supportsCoalescing() {
    return upstream.supportsCoalescing();
  }

  @Override
  public @Nullable Region allocate(long bytes) {
    return next() == Fault.REFUSE ? null : upstream.allocate(bytes);
  }

  @Override
  public void release(Region region) {
    if (next() == Fault.REFUSE) {
      throw new IllegalStateException("refused on purpose: call=" + calls);
    }
    upstream.release(region);
  }

  private Fault next() {
    Fault fault = plan.apply(calls++);
    return switch (fault) {
      case NONE, REFUSE -> fault;
      case THROW -> throw new IllegalStateException("thrown on purpose: call=" + calls);
      case ERROR -> throw new OutOfMemoryError("thrown on purpose: call=" + calls);
    };
  }
}
