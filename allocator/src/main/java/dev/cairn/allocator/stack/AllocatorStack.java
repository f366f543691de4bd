package dev.cairn.allocator.stack;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.layer.AllocationRelief;
import dev.cairn.allocator.layer.GuardingAllocator;
import dev.cairn.allocator.layer.ListeningAllocator;
import dev.cairn.allocator.layer.RelievingAllocator;
import dev.cairn.allocator.layer.RetryOptions;
import dev.cairn.allocator.layer.RetryingAllocator;
import dev.cairn.allocator.layer.TenantQuotas;
import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.allocator.layer.TrimmingAllocator;
import dev.cairn.allocator.source.SubAllocator;
import java.util.Optional;

/**
 * An allocator and its layers, in the one right order, whatever order they are asked for in. Safe for use by many
 * threads. Owns all of them, down to the allocator, but not its source.
 *
 * <pre>
 *   tenants     quotas refuse at once: a tenant past its own neither waits nor makes others give memory up
 *   listening   hears what callers get: one refusal a request, however often it was tried below
 *   relieving   others give up what they can do without, before anybody waits, and with no lock held
 *   trimming    what goes back is one more chance for those who wait, so it passes through
 *   retrying    waits and serves on behalf of others: all above may be its clients' own doing, all below is quick
 *   guarding    next to the core, so that all above see the same blocks
 *   core        grants and frees
 * </pre>
 */
public final class AllocatorStack implements AutoCloseable {
  private final Allocator top;
  private final Optional<RetryingAllocator> retrying;
  private final Optional<GuardingAllocator> guarding;
  private final Optional<TenantQuotas> tenants;

  private AllocatorStack(Builder wanted) {
    Allocator at = wanted.core;
    guarding = wanted.guarded ? Optional.of(new GuardingAllocator(at)) : Optional.empty();
    at = guarding.isPresent() ? guarding.get() : at;
    Allocator overGuarding = at;
    retrying = wanted.retry.map(options -> new RetryingAllocator(overGuarding, options));
    at = retrying.isPresent() ? retrying.get() : at;
    at = wanted.trim.isPresent() ? new TrimmingAllocator(at, wanted.trim.get()) : at;
    at = wanted.relief.isPresent() ? new RelievingAllocator(at, wanted.relief.get()) : at;
    at = wanted.listener.isPresent() ? new ListeningAllocator(at, wanted.listener.get()) : at;
    top = at;
    tenants = wanted.shared ? Optional.of(new TenantQuotas(at)) : Optional.empty();
  }

  /** Layers over an allocator that there is; the stack owns it from then on. */
  public static Builder over(Allocator core) {
    return new Builder(core);
  }

  /** Layers over best fit with coalescing over a source. */
  public static Builder over(SubAllocator source, BfcOptions options) {
    return over(new BfcAllocator(source, options));
  }

  /** Which layers there shall be; none unless said. Not safe for many threads; builds once. */
  public static final class Builder {
    private final Allocator core;
    private Optional<RetryOptions> retry = Optional.empty();
    private Optional<TrimSchedule> trim = Optional.empty();
    private Optional<AllocationRelief> relief = Optional.empty();
    private Optional<AllocationListener> listener = Optional.empty();
    private boolean guarded;
    private boolean shared;
    private boolean built;

    private Builder(Allocator core) {
      this.core = core;
    }

    /** With red zones. */
    public Builder guarding() {
      guarded = true;
      return this;
    }

    /** With requests that wait for memory. */
    public Builder retrying(RetryOptions options) {
      retry = Optional.of(options);
      return this;
    }

    /** With memory given back every now and then. */
    public Builder trimming(TrimSchedule schedule) {
      trim = Optional.of(schedule);
      return this;
    }

    /** With somebody who gives up memory when it is short. */
    public Builder relieving(AllocationRelief by) {
      relief = Optional.of(by);
      return this;
    }

    /** With a listener to what callers get; a core's own listener hears what happens inside. */
    public Builder listening(AllocationListener to) {
      listener = Optional.of(to);
      return this;
    }

    /** Shared by tenants with quotas; nobody else then asks for memory. */
    public Builder sharing() {
      shared = true;
      return this;
    }

    /** The stack. */
    public AllocatorStack build() {
      if (built) {
        throw new IllegalStateException("a stack was built over this allocator before: " + core);
      }
      built = true;
      return new AllocatorStack(this);
    }
  }

  /**
   * The uppermost layer: what callers use, if there are no tenants. May be closed instead of the stack.
   */
  public Allocator allocator() {
    return top;
  }

  /**
   * Where tenants are made.
   *
   * @throws IllegalStateException when the stack has none
   */
  public TenantQuotas tenants() {
    return tenants.orElseThrow(() -> new IllegalStateException("the stack isn't shared by tenants: " + top));
  }

  /** The layer that waits, for its clients and figures. */
  public Optional<RetryingAllocator> retrying() {
    return retrying;
  }

  /** The layer with the red zones. */
  public Optional<GuardingAllocator> guarding() {
    return guarding;
  }

  /** Tells those who wait that memory may have come free without a free, as a safe frontier has passed. */
  public void wake() {
    retrying.ifPresent(RetryingAllocator::wake);
  }

  /**
   * Closes tenants, layers and allocator.
   *
   * @throws IllegalStateException when blocks are still held (nothing is changed then), or when closed before
   */
  @Override
  public void close() {
    if (tenants.isPresent()) {
      tenants.get().close();
    } else {
      top.close();
    }
  }
}
