package dev.cairn.runtime.session;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs of a session over memory that its callers own, pushed now and executed later. For packages of Cairn that have
 * such memory, as arrays do; users call {@link Session#run(Map)}. Thread-safe.
 */
public final class SessionRuns {
  private final Session session;
  private final RandomRuns random;
  private final LoadedModel model;
  private final ReentrantLock pushes = new ReentrantLock();
  private final Condition noPush = pushes.newCondition();
  /** How many threads are about to push a run; guarded by {@link #pushes}. */
  private int pushing;
  /** How many threads close the session or have closed it. Pushes are refused meanwhile; guarded by {@link #pushes}. */
  private int closers;
  /** Null before the first push; guarded by {@link #pushes}. */
  private @Nullable Pusher pusher;

  /** Pushes runs, and waits for them when the session closes. */
  public interface Pusher {
    /** @throws IllegalStateException where the calling thread must not wait for pushed runs, such as inside of one */
    void requireOutside();

    /** Waits for all pushed runs. */
    void awaitRuns();
  }

  /**
   * The random numbers of one run.
   *
   * @param input the name of the input that takes them
   */
  public record Draws(String input, TensorView numbers) {}

  SessionRuns(Session session, RandomRuns random, LoadedModel model) {
    this.session = session;
    this.random = random;
    this.model = model;
  }

  public static SessionRuns of(Session session) {
    return session.runs();
  }

  /**
   * The session's pusher, made by the first call.
   *
   * @param kind the one class of pushers
   */
  public <P extends Pusher> P pusher(Class<P> kind, Function<SessionRuns, P> maker) {
    pushes.lock();
    try {
      Pusher known = pusher;
      if (known == null) {
        known = maker.apply(this);
        pusher = known;
      }
      return kind.cast(known);
    } finally {
      pushes.unlock();
    }
  }

  /** The graph that runs. It declares what users see and, where the session draws random numbers, one input more. */
  public Graph graph() {
    return random.graph();
  }

  /** The device that runs the model, as {@code cpu} or {@code gpu:0}. */
  public String device() {
    return model.backend().target().device().id().toString();
  }

  /**
   * The types of all inputs of {@link #graph}.
   *
   * @param given the types of the inputs that users see, by name
   * @throws IllegalArgumentException when an input is missing, unknown or of the wrong type
   */
  public Map<String, TensorType> types(Map<String, TensorType> given) {
    return InputBinding.ofTypes(graph(), random.types(given));
  }

  /**
   * The random numbers of the next run; empty if the session draws none.
   *
   * @param given the names of the inputs that users give
   * @throws IllegalArgumentException when these are not the inputs that users see; no number is drawn then
   */
  public Optional<Draws> draws(Set<String> given) {
    return random.draws(given);
  }

  /**
   * The types of a run's results, by name, in the model's order. Makes the plan if there is none yet. Empty if these
   * types depend on values that are computed in the run.
   *
   * @param types of all inputs
   * @param values the bytes of an input, read only where they decide a shape
   */
  public Optional<Map<String, TensorType>> results(Map<String, TensorType> types, Function<String, ByteBuffer> values) {
    PlanCache.Entry plan = model.plans().take(types, values, RunLimit.NONE);
    try {
      return plan.executor().compiled().map(it -> it.outputTypes());
    } finally {
      model.plans().giveBack(plan);
    }
  }

  /**
   * Runs the model on the calling thread, after other runs whose variables it needs.
   *
   * @param types of all inputs
   * @param given one for each input of {@link #graph}, in its order; those whose values decide shapes lie on the host
   * @param results memory for each output, in the graph's order
   */
  public void run(Map<String, TensorType> types, List<LocatedView> given, List<LocatedView> results) {
    session.runInto(types, given, results);
  }

  /** A copy of an input's bytes, as {@link #results} asks for them. */
  public static ByteBuffer bytes(MemorySegment value) {
    return PlanKey.bytes(value);
  }

  /** @throws IllegalStateException when the session is closed or about to be; else {@link #endPush} must follow */
  public void beginPush() {
    pushes.lock();
    try {
      if (closers > 0) {
        throw new IllegalStateException("already closed: session " + graph().name());
      }
      pushing++;
    } finally {
      pushes.unlock();
    }
  }

  public void endPush() {
    pushes.lock();
    try {
      pushing--;
      noPush.signalAll();
    } finally {
      pushes.unlock();
    }
  }

  /**
   * Refuses new runs, and waits for pushed ones. Call it without the session's lock, which those runs need.
   *
   * @throws IllegalStateException where the calling thread must not wait; nothing is refused then
   */
  void beginClose() {
    Pusher before = knownPusher();
    if (before != null) {
      before.requireOutside();
    }
    pushes.lock();
    try {
      closers++;
      while (pushing > 0) {
        noPush.awaitUninterruptibly();
      }
    } finally {
      pushes.unlock();
    }
    boolean done = false;
    try {
      Pusher known = knownPusher();
      if (known != null) {
        known.awaitRuns();
      }
      done = true;
    } finally {
      if (!done) {
        cancelClose();
      }
    }
  }

  private @Nullable Pusher knownPusher() {
    pushes.lock();
    try {
      return pusher;
    } finally {
      pushes.unlock();
    }
  }

  /** Takes runs again after a {@link #beginClose} that closed nothing, unless another thread closes the session. */
  void cancelClose() {
    pushes.lock();
    try {
      closers--;
    } finally {
      pushes.unlock();
    }
  }
}
