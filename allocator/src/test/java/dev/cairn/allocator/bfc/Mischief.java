package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an allocator calls and that is not its own, each call numbered: source, listener and split policy.
 * The call with the number that is set goes wrong, once.
 */
final class Mischief {
  /** How it goes wrong. */
  enum Kind {
    EXCEPTION,
    ERROR,
    /** The source has nothing; everything else throws. */
    REFUSAL
  }

  /** What the wrong call throws; without a stack trace, for there are many. */
  static final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OnPurpose() {
      super("on purpose", null, false, false);
    }
  }

  /** The same as an error, which no one expects. */
  static final class OnPurposeError extends Error {
    private static final long serialVersionUID = 1L;

    OnPurposeError() {
      super("on purpose", null, false, false);
    }
  }

  private final long at;
  private final Kind kind;
  private long calls;

  Mischief(long at, Kind kind) {
    this.at = at;
    this.kind = kind;
  }

  /** Calls so far. */
  long calls() {
    return calls;
  }

  boolean isDone() {
    return calls > at;
  }

  /** Whether the source is to refuse; throws if this is the call, and it is to throw. */
  private boolean call(boolean mayRefuse) {
    if (calls++ != at) {
      return false;
    }
    if (kind == Kind.REFUSAL && mayRefuse) {
      return true;
    }
    if (kind == Kind.ERROR) {
      throw new OnPurposeError();
    }
    throw new OnPurpose();
  }

  SplitPolicy around(SplitPolicy policy) {
    return (chunkBytes, wantedBytes) -> {
      call(false);
      return policy.splits(chunkBytes, wantedBytes);
    };
  }

  AllocationListener listener() {
    return new AllocationListener() {
      @Override
      public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
        call(false);
      }

      @Override
      public void freed(long allocationId, long address, long bytes) {
        call(false);
      }

      @Override
      public void regionAdded(long address, long bytes) {
        call(false);
      }

      @Override
      public void regionReleased(long address, long bytes) {
        call(false);
      }

      @Override
      public void refused(OutOfMemory refusal) {
        call(false);
      }
    };
  }

  SubAllocator around(SubAllocator source) {
    return new SubAllocator() {
      @Override
      public MemorySpace space() {
        return source.space();
      }

      @Override
      public long maximumRegionBytes() {
        call(false);
        return source.maximumRegionBytes();
      }

      @Override
      public boolean supportsCoalescing() {
        call(false);
        return source.supportsCoalescing();
      }

      @Override
      public @Nullable Region allocate(long bytes) {
        return call(true) ? null : source.allocate(bytes);
      }

      @Override
      public void release(Region region) {
        call(false);
        source.release(region);
      }
    };
  }
}
