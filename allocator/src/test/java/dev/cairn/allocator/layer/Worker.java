package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Owner;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.concurrent.locks.LockSupport;

/** A thread with a name that does what a test tells it, one thing after the other. */
final class Worker implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 240;

  private final Allocator allocator;
  private final ExecutorService thread;
  private volatile Thread itself = Thread.currentThread();

  Worker(String name, Allocator allocator) {
    this(Thread.ofPlatform().daemon().name(name), allocator);
  }

  Worker(Thread.Builder thread, Allocator allocator) {
    this.allocator = allocator;
    this.thread = Executors.newSingleThreadExecutor(thread.factory());
    CountDownLatch started = new CountDownLatch(1);
    this.thread.execute(() -> {
      itself = Thread.currentThread();
      started.countDown();
    });
    try {
      started.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Future<Block> ask(long bytes) {
    return thread.submit(() -> allocator.allocate(bytes));
  }

  Future<Block> ask(AllocationRequest request) {
    return thread.submit(() -> allocator.allocate(request));
  }

  Future<Block> reserve(long bytes) {
    return thread.submit(() -> allocator.reserve(AllocationRequest.of(bytes, Owner.NONE)));
  }

  Block get(long bytes) {
    return now(ask(bytes));
  }

  void give(Block block) {
    done(() -> {
      allocator.free(block);
      return true;
    });
  }

  <T> Future<T> start(Callable<T> work) {
    return thread.submit(work);
  }

  <T> T done(Callable<T> work) {
    return now(thread.submit(work));
  }

  void interrupt() {
    itself.interrupt();
  }

  /** What comes of it, which must come soon. */
  static <T> T now(Future<T> future) {
    return within(PATIENCE_SECONDS, future);
  }

  /** What comes of it, which must come in so many seconds. */
  static <T> T within(long seconds, Future<T> future) {
    try {
      return future.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("not done in time", e);
    }
  }

  static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("condition not met in time");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
