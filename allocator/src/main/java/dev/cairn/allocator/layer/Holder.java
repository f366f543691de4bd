package dev.cairn.allocator.layer;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Who holds blocks, and how much. Never counts more than is really held: a block is added after upstream granted it,
 * and taken off before upstream is given it. Safe for use by many threads.
 */
final class Holder {
  private final String name;
  private final @Nullable Thread thread;
  private final AtomicLong blocks = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean shared;
  /** The last look at those who wait that counted it; the queue's lock guards it. */
  long countedIn;

  private Holder(String name, @Nullable Thread thread, boolean shared) {
    this.name = name;
    this.thread = thread;
    this.shared = shared;
  }

  /** The calling thread. */
  static Holder thisThread() {
    Thread thread = Thread.currentThread();
    String name = thread.getName();
    return new Holder(name.isEmpty() ? "thread #" + thread.threadId() : name, thread, false);
  }

  /** Somebody with a name. */
  static Holder named(String name) {
    return new Holder(name, null, false);
  }

  /** Nobody in particular: whoever frees it. */
  static Holder anyone() {
    return new Holder("anyone", null, true);
  }

  String name() {
    return name;
  }

  long blocks() {
    return blocks.get();
  }

  long bytes() {
    return bytes.get();
  }

  void took(long takenBytes) {
    blocks.getAndIncrement();
    bytes.getAndAdd(takenBytes);
  }

  void gave(long givenBytes) {
    blocks.getAndDecrement();
    bytes.getAndAdd(-givenBytes);
  }

  boolean isCallingThread() {
    return Thread.currentThread().equals(thread);
  }

  /** Whether others free its blocks, so that they may come free while it waits. */
  boolean isShared() {
    return shared;
  }

  void share() {
    if (!shared) {
      shared = true;
    }
  }
}
