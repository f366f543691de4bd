package dev.cairn.allocator;

/**
 * How long a region is taken for a request. A pool serves a request only from a region of just that length, so the
 * coarser the rounding, the more is reused and the more is slack. Values; the three are MXNet's.
 */
public sealed interface Rounding {
  /** The shortest region of a pool by default: a page of the host. */
  long PAGE_BYTES = 4096;
  /** Above this, and in steps of it, {@link Naive} rounds: a page of the device. */
  long LARGE_BYTES = 2L << 20;
  /** The exponent up to which {@link PowerOfTwo} rounds to powers of two. */
  int CUTOFF = 24;
  /** The most bytes that can be rounded. */
  long MAXIMUM_BYTES = 1L << 62;

  /**
   * The length for {@code bytes}: not less, and a multiple of 256.
   *
   * @throws IllegalArgumentException when {@code bytes} is not from 1 to {@link #MAXIMUM_BYTES}
   */
  long round(long bytes);

  /** {@link Naive} with a page of 4,096 bytes and steps of 2 MiB. */
  static Rounding naive() {
    return new Naive(PAGE_BYTES, LARGE_BYTES);
  }

  /** {@link PowerOfTwo} with a page of 4,096 bytes, up to 2^24. */
  static Rounding powerOfTwo() {
    return new PowerOfTwo(PAGE_BYTES, CUTOFF);
  }

  /** {@link Multiple} of {@code unitBytes}. */
  static Rounding multipleOf(long unitBytes) {
    return new Multiple(unitBytes);
  }

  /**
   * No rounding, so that only requests of the same length share regions; but at least a page, and large ones in steps.
   *
   * @param pageBytes the shortest, a positive multiple of 256
   * @param largeBytes lengths above this are multiples of it; a multiple of 256, not less than the page
   */
  record Naive(long pageBytes, long largeBytes) implements Rounding {
    /** Checks the figures. */
    public Naive {
      requireUnit("pageBytes", pageBytes);
      requireUnit("largeBytes", largeBytes);
      if (largeBytes < pageBytes) {
        throw new IllegalArgumentException(
          "large must not be less than a page: largeBytes=%d pageBytes=%d".formatted(largeBytes, pageBytes));
      }
    }

    @Override
    public long round(long bytes) {
      requireRoundable(bytes);
      return bytes > largeBytes
        ? up(bytes, largeBytes)
        : Math.max(pageBytes, Alignment.up(bytes, Alignment.CHUNK_BYTES));
    }
  }

  /**
   * To the next power of two, at least a page; beyond a cutoff to multiples of the cutoff.
   *
   * @param pageBytes the shortest: a power of two, at least 256 and at most the cutoff
   * @param cutoff the exponent of the largest power of two, 20 to 34
   */
  record PowerOfTwo(long pageBytes, int cutoff) implements Rounding {
    /** Checks the figures. */
    public PowerOfTwo {
      if (cutoff < 20 || cutoff > 34) {
        throw new IllegalArgumentException("cutoff must be from 20 to 34: cutoff=" + cutoff);
      }
      requireUnit("pageBytes", pageBytes);
      if (Long.bitCount(pageBytes) != 1 || pageBytes > 1L << cutoff) {
        throw new IllegalArgumentException(
          "page must be a power of two up to the cutoff: pageBytes=%d cutoff=%d".formatted(pageBytes, cutoff));
      }
    }

    @Override
    public long round(long bytes) {
      requireRoundable(bytes);
      if (bytes > 1L << cutoff) {
        return Alignment.up(bytes, 1L << cutoff);
      }
      return bytes <= pageBytes ? pageBytes : 1L << (SizeBins.floorLog2(bytes - 1) + 1);
    }
  }

  /**
   * To multiples of a unit.
   *
   * @param unitBytes a positive multiple of 256
   */
  record Multiple(long unitBytes) implements Rounding {
    /** Checks the figure. */
    public Multiple {
      requireUnit("unitBytes", unitBytes);
    }

    @Override
    public long round(long bytes) {
      requireRoundable(bytes);
      return up(bytes, unitBytes);
    }
  }

  private static long up(long bytes, long unitBytes) {
    return Math.ceilDiv(bytes, unitBytes) * unitBytes;
  }

  private static void requireRoundable(long bytes) {
    if (bytes <= 0 || bytes > MAXIMUM_BYTES) {
      throw new IllegalArgumentException("bytes can't be rounded: bytes=%d maximumBytes=%d".formatted(bytes,
        MAXIMUM_BYTES));
    }
  }

  // Sums of a length and a unit stay within a long.
  private static void requireUnit(String name, long bytes) {
    if (bytes <= 0 || bytes > MAXIMUM_BYTES >> 1 || !Alignment.isAligned(bytes, Alignment.CHUNK_BYTES)) {
      throw new IllegalArgumentException("%s must be a positive multiple of 256, at most 2^61: %s=%d".formatted(name,
        name, bytes));
    }
  }
}
