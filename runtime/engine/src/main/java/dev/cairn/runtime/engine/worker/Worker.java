package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.stream.EngineStream;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread of a group. It keeps no Java process alive. */
public final class Worker extends Thread {
  private final WorkerGroup group;
  private volatile boolean woken;
  /** By number of device; for this thread only. */
  private @Nullable EngineStream[] streams = {};

  Worker(WorkerGroup group, String name) {
    super(name);
    this.group = group;
    setDaemon(true);
  }

  /** Whether it hands its blocks to this taker. */
  @SuppressWarnings("ReferenceEquality")
  public boolean serves(BlockTaker taker) {
    return group.taker() == taker;
  }

  @Nullable
  EngineStream stream(int device) {
    return device < streams.length ? streams[device] : null;
  }

  void keepStream(int device, EngineStream stream) {
    streams = Arrays.copyOf(streams, Math.max(streams.length, device + 1));
    streams[device] = stream;
  }

  @Override
  public void run() {
    group.work(this);
  }

  void wake() {
    woken = true;
    LockSupport.unpark(this);
  }

  /** On this thread: returns when it was woken, once for each time. */
  void sleep() {
    while (!woken) {
      LockSupport.park(this);
      // An operation may have left the thread interrupted, and an interrupted one never sleeps.
      Thread.interrupted();
    }
    woken = false;
  }

  /** Like {@link #sleep}, but no longer than that; whether it was woken. */
  boolean doze(long nanos) {
    if (!woken) {
      LockSupport.parkNanos(this, nanos);
      Thread.interrupted();
    }
    boolean wasWoken = woken;
    if (wasWoken) {
      woken = false;
    }
    return wasWoken;
  }

  /** Returns when the thread has ended; an interrupt of the caller does not keep it from that. */
  void awaitEnd() {
    boolean interrupted = false;
    while (true) {
      try {
        join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
