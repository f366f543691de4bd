package dev.cairn.allocator.source;

import java.util.OptionalLong;
import jcuda.driver.JCudaDriver;

/**
 * The common part of the sources over CUDA's driver: the device's primary context, held until the source is closed, and
 * the regions given out. The CUDA libraries must be loaded. Safe for use by many threads.
 */
public abstract class CudaSource implements SubAllocator, AutoCloseable {
  final PrimaryContext context;
  final HeldRegions held;

  /** @param context closed with the source */
  CudaSource(PrimaryContext context) {
    this(context, new HeldRegions());
  }

  CudaSource(PrimaryContext context, HeldRegions held) {
    this.context = context;
    this.held = held;
  }

  /** The free bytes of the device, as the driver says; other programs may use the rest. */
  @Override
  public final OptionalLong freeBytes() {
    context.enter();
    long[] free = new long[1];
    PrimaryContext.check(JCudaDriver.cuMemGetInfo(free, new long[1]), "cuMemGetInfo", "");
    return OptionalLong.of(free[0]);
  }

  @Override
  public void release(Region region) {
    held.release(region);
  }

  /** Bytes now given out. */
  public final long heldBytes() {
    return held.bytes();
  }

  /** @throws IllegalStateException when regions are held */
  @Override
  public void close() {
    requireNothingHeld();
    context.close();
  }

  final void requireNothingHeld() {
    if (held.count() > 0) {
      throw new IllegalStateException(
        "source is in use: regions=%d bytes=%d".formatted(held.count(), held.bytes()));
    }
  }
}
