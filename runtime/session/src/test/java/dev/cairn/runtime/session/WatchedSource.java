package dev.cairn.runtime.session;

import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A memory source that counts what is held, and lets a test wait for it. Thread-safe. */
final class WatchedSource implements SubAllocator {
  private final NettySubAllocator upstream = new NettySubAllocator();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile Runnable beforeRelease = () -> {};
  private int allocations;
  private long most;

  /** Runs on each thread that is about to give a region back. */
  void beforeRelease(Runnable work) {
    beforeRelease = work;
  }

  long heldBytes() {
    return upstream.heldBytes();
  }

  /** The most bytes that were held at one time. */
  long mostBytes() {
    lock.lock();
    try {
      return most;
    } finally {
      lock.unlock();
    }
  }

  /** How many regions have been taken. */
  int allocations() {
    lock.lock();
    try {
      return allocations;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until so many bytes are held, and no more. */
  void awaitHeldBytes(long bytes) throws InterruptedException {
    lock.lock();
    try {
      while (upstream.heldBytes() > bytes) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public MemorySpace space() {
    return upstream.space();
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
    Region region = upstream.allocate(bytes);
    lock.lock();
    try {
      allocations++;
      most = Math.max(most, upstream.heldBytes());
    } finally {
      lock.unlock();
    }
    return region;
  }

  @Override
  public void release(Region region) {
    beforeRelease.run();
    upstream.release(region);
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
