package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.Operation;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the line of code that pushes: the nearest one on the stack that is not the engine's own. */
final class PushSite {
  private static final StackWalker WALKER = StackWalker.getInstance();
  /** Through which a push passes; not the whole package, which has other pushers, its tests for instance. */
  private static final Set<String> OURS = Stream
    .of(PushSite.class, Operation.class, Engine.class, StartableEngine.class, NaiveEngine.class, ThreadedEngine.class)
    .map(Class::getName)
    .collect(Collectors.toUnmodifiableSet());

  private PushSite() {}

  /** The operation, which says that it is pushed here, unless it says already where. */
  static Operation known(Operation operation) {
    return operation.hasSite() ? operation : operation.at(capture());
  }

  private static String capture() {
    return WALKER.walk(frames -> frames.filter(frame -> !OURS.contains(frame.getClassName())).findFirst()
      .map(frame -> frame.toStackTraceElement().toString()).orElse("unknown"));
  }
}
