package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.catalog.KernelCall;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shares numbered tasks among threads, each of which has a slice of the call's workspace to itself. Which thread runs a
 * task is left to chance, so a task must write its own outputs and take nothing from its slice that it did not put
 * there.
 */
public final class SlicedTasks {
  /** The workspace must be sized before the number of threads is known: more threads than this take no part. */
  private static final int MAX_SLICES = 16;
  private static final long ALIGNMENT = 64;

  /** Runs one task. */
  @FunctionalInterface
  public interface Body {
    void run(long task, MemorySegment slice);
  }

  private SlicedTasks() {}

  /** The workspace that gives slices of so many bytes. */
  public static long workspaceBytes(long sliceBytes) {
    return MAX_SLICES * aligned(sliceBytes);
  }

  /** How many threads may take part in this call. */
  public static int threads(KernelCall call) {
    return Math.min(MAX_SLICES, CpuStream.of(call).threads());
  }

  /** Runs tasks {@code [0, tasks)}, on the caller alone when {@code small}. */
  public static void run(KernelCall call, long tasks, long sliceBytes, boolean small, Body body) {
    if (small) {
      runAll(new AtomicLong(), tasks, call.workspace().asSlice(0, sliceBytes), body);
      return;
    }
    var next = new AtomicLong();
    CpuStream.of(call).parallel(Math.min(tasks, threads(call)), 1, (first, end) -> {
      // A range that comes late finds no task left: the slices of one range are never used at the same time.
      runAll(next, tasks, call.workspace().asSlice(first * aligned(sliceBytes), sliceBytes), body);
    });
  }

  private static void runAll(AtomicLong next, long tasks, MemorySegment slice, Body body) {
    for (long task = next.getAndIncrement(); task < tasks; task = next.getAndIncrement()) {
      body.run(task, slice);
    }
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }
}
