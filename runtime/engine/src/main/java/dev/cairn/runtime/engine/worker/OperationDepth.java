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
  private final ThreadLocal<int @Nullable []> depths = new ThreadLocal<>();
  /** The work that must follow the innermost operation; of a thread that was deep, for its next operations. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable ArrayDeque<Runnable>> later = new ThreadLocal<>();

  /** In how many operations this thread is. */
  private int depth() {
    int[] depth = depths.get();
    return depth == null ? 0 : depth[0];
  }

  /** Whether this thread is in an operation. */
  public final boolean isInside() {
    return depth() > 0;
  }

  /** Whether this thread should take no further operation inside the one it is in. */
  public final boolean isDeepest() {
    return depth() >= DEEPEST;
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
    // Kept for the thread's next operation: most are small. A plain array, since a thread may outlive this class
    // loader.
    int[] known = depths.get();
    int[] depth = known == null ? new int[1] : known;
    if (known == null) {
      depths.set(depth);
    }
    depth[0]++;
  }

  /** Ends one {@link #enter}. */
  public final void leave() {
    int[] depth = depths.get();
    if (depth == null) {
      throw new AssertionError("not inside an operation");
    }
    depth[0]--;
  }

  /** On a thread that {@link #isDeepest}: runs it when the innermost operation has ended, in the order given. */
  public final void runLater(Runnable work) {
    if (!isInside()) {
      throw new AssertionError("not inside an operation");
    }
    ArrayDeque<Runnable> mine = later.get();
    if (mine == null) {
      mine = new ArrayDeque<>();
      later.set(mine);
    }
    mine.add(work);
  }

  /** For the innermost operation, when it has ended: runs what came meanwhile. */
  public final void runWhatIsLater() {
    if (depth() != DEEPEST) {
      return;
    }
    ArrayDeque<Runnable> mine = later.get();
    while (mine != null && !mine.isEmpty()) {
      mine.remove().run();
    }
  }

  /** For a wait inside an operation. */
  public static IllegalStateException refusal(Object awaited) {
    return new IllegalStateException("a wait inside an operation, which could never end: for=" + awaited);
  }
}
