package dev.cairn.runtime.engine.worker;

import dev.cairn.kernels.device.ProgramLocal;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Which threads are inside an operation of one engine, other than its workers: there a wait could never end. Also how
 * deep, as operations that run on their pusher may push such operations, and a stack has an end.
 */
public class OperationDepth {
  private static final int DEEPEST = 64;

  /** One of each engine: threads use several. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable Depth> depths = new ThreadLocal<>();

  /** How many operations one thread is inside of, and the work that must follow the innermost one. */
  private static final class Depth {
    private int operations;
    private @Nullable ArrayDeque<Runnable> later;
  }

  /** Whether this thread is in an operation. */
  public final boolean isInside() {
    Depth depth = depths.get();
    return depth != null && depth.operations > 0;
  }

  /** Whether this thread should take no further operation inside the one it is in. */
  public final boolean isDeepest() {
    Depth depth = depths.get();
    return depth != null && depth.operations >= DEEPEST;
  }

  /**
   * Runs something as part of an operation: it does not see what this thread has open. Throws, without having run it,
   * when the heap has no room for that.
   */
  public final void run(Runnable work) {
    enter();
    try {
      ProgramLocal.without(work);
    } finally {
      leave();
    }
  }

  /**
   * From here on, this thread is in an operation, or in one more, until it {@linkplain #leave leaves}. Changes nothing
   * when it throws, as the heap has no room for that.
   */
  public void enter() {
    // Kept for the thread's next operation: most are small.
    Depth known = depths.get();
    Depth depth = known == null ? new Depth() : known;
    if (known == null) {
      depths.set(depth);
    }
    depth.operations++;
  }

  /** Ends one {@link #enter}. */
  public final void leave() {
    Depth depth = depths.get();
    if (depth == null) {
      throw new AssertionError("not inside an operation");
    }
    depth.operations--;
  }

  /** On a thread that {@link #isDeepest}: runs it when the innermost operation has ended, in the order given. */
  public final void runLater(Runnable work) {
    Depth depth = depths.get();
    if (depth == null || depth.operations == 0) {
      throw new AssertionError("not inside an operation");
    }
    ArrayDeque<Runnable> later = depth.later;
    if (later == null) {
      later = new ArrayDeque<>();
      depth.later = later;
    }
    later.add(work);
  }

  /** For the innermost operation, when it has ended: runs what came meanwhile. */
  public final void runWhatIsLater() {
    Depth depth = depths.get();
    while (depth != null && depth.operations == DEEPEST && depth.later != null && !depth.later.isEmpty()) {
      depth.later.remove().run();
    }
  }

  /** For a wait inside an operation. */
  public static IllegalStateException refusal(Object awaited) {
    return new IllegalStateException("a wait inside an operation, which could never end: for=" + awaited);
  }
}
