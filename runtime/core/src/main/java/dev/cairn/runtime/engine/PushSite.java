package dev.cairn.runtime.engine;

import java.util.Set;

/** Finds the line of code that pushes: the nearest one on the stack outside this package. */
final class PushSite {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String OURS = PushSite.class.getPackageName() + ".";

  private static final Set<String> OWN = Set.of("PushSite", "Operation", "Engine", "NaiveEngine", "ThreadedEngine");

  private PushSite() {}

  static String capture() {
    return WALKER.walk(frames -> frames.filter(frame -> !isOurs(frame.getClassName())).findFirst()
      .map(frame -> frame.toStackTraceElement().toString()).orElse("unknown"));
  }

  private static boolean isOurs(String type) {
    return type.startsWith(OURS) && OWN.contains(type.substring(OURS.length()));
  }
}
