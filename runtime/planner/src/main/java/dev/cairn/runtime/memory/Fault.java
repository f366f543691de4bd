package dev.cairn.runtime.memory;

/** One fault of a plan. Text form: the fault, then its facts. */
public sealed interface Fault {
  /** A buffer of the problem has no placement: the plan's list is too short. */
  record MissingPlacement(String buffer) implements Fault {
    @Override
    public String toString() {
      return "no placement: buffer=" + buffer;
    }
  }

  /** A placement belongs to no buffer: the plan's list is too long. */
  record ExtraPlacement(int index, Placement placement) implements Fault {
    @Override
    public String toString() {
      return "placement of no buffer: index=%d pool=%d offset=%d".formatted(index, placement.pool(),
        placement.offset());
    }
  }

  /** The placement names a pool that the plan does not have. */
  record NoSuchPool(String buffer, int pool, int pools) implements Fault {
    @Override
    public String toString() {
      return "no such pool: buffer=%s pool=%d pools=%d".formatted(buffer, pool, pools);
    }
  }

  /** The buffer begins before its pool. */
  record NegativeOffset(String buffer, long offset) implements Fault {
    @Override
    public String toString() {
      return "negative offset: buffer=%s offset=%d".formatted(buffer, offset);
    }
  }

  /** The offset is no multiple of the buffer's alignment. */
  record Misaligned(String buffer, long offset, long alignment) implements Fault {
    @Override
    public String toString() {
      return "misaligned: buffer=%s offset=%d alignment=%d".formatted(buffer, offset, alignment);
    }
  }

  /** The pool's base may be less aligned than the buffer must be. */
  record PoolMisaligned(String buffer, int pool, long poolAlignment, long alignment) implements Fault {
    @Override
    public String toString() {
      return "pool less aligned than its buffer: buffer=%s pool=%d poolAlignment=%d alignment=%d".formatted(buffer,
        pool, poolAlignment, alignment);
    }
  }

  /** The buffer ends after its pool: the pool is too small or the offset too great. */
  record OutOfPool(String buffer, long offset, long reservedBytes, long poolBytes) implements Fault {
    @Override
    public String toString() {
      return "out of pool: buffer=%s offset=%d reservedBytes=%d poolBytes=%d".formatted(buffer, offset, reservedBytes,
        poolBytes);
    }
  }

  /** The pool is on another device than the buffer. */
  record WrongDevice(String buffer, int device, int pool, int poolDevice) implements Fault {
    @Override
    public String toString() {
      return "wrong device: buffer=%s device=%d pool=%d poolDevice=%d".formatted(buffer, device, pool, poolDevice);
    }
  }

  /** The buffer is not at its fixed offset. */
  record NotWhereFixed(String buffer, long offset, long fixedOffset) implements Fault {
    @Override
    public String toString() {
      return "not where it is fixed: buffer=%s offset=%d fixedOffset=%d".formatted(buffer, offset, fixedOffset);
    }
  }

  /** The buffer has a fixed offset in the first pool of its device, but is in another pool. */
  record FixedInLaterPool(String buffer, int pool, int firstPool) implements Fault {
    @Override
    public String toString() {
      return "fixed, but not in its device's first pool: buffer=%s pool=%d firstPool=%d".formatted(buffer, pool,
        firstPool);
    }
  }

  /** The buffer does not directly follow its predecessor in its group. */
  record NotContiguous(String before, String buffer, int pool, long offset, int wantedPool, long wantedOffset)
    implements
      Fault {
    @Override
    public String toString() {
      return "not directly after: before=%s buffer=%s pool=%d offset=%d wantedPool=%d wantedOffset=%d".formatted(before,
        buffer, pool, offset, wantedPool, wantedOffset);
    }
  }

  /** Two conflicting buffers share bytes; {@code first} is the one with the lower index. */
  record SharedInConflict(String first, String second, int pool) implements Fault {
    @Override
    public String toString() {
      return "shared in conflict: first=%s second=%s pool=%d".formatted(first, second, pool);
    }
  }

  /** Two buffers take the same bytes at the same step; {@code first} is the one with the lower index. */
  record Overlap(String first, String second, int pool, int step) implements Fault {
    @Override
    public String toString() {
      return "overlap: first=%s second=%s pool=%d step=%d".formatted(first, second, pool, step);
    }
  }
}
