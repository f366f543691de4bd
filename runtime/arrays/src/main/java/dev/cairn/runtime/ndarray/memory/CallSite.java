package dev.cairn.runtime.ndarray.memory;

/** Finds the line of the program that calls an array's function. */
public final class CallSite {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String ARRAYS = "dev.cairn.runtime.ndarray.";
  private static final String AUTOGRAD = "dev.cairn.runtime.autograd.";
  private static final String CACHED = "dev.cairn.runtime.cached.";
  private static final String FUNCTIONS = "dev.cairn.runtime.expression.";

  private CallSite() {}

  public static String capture() {
    return WALKER.walk(frames -> frames.filter(frame -> !isOurs(frame.getClassName())).findFirst().map(
      frame -> frame.toStackTraceElement().toString()).orElse("unknown"));
  }

  private static boolean isOurs(String type) {
    return ((type.startsWith(ARRAYS) || type.startsWith(AUTOGRAD) || type.startsWith(CACHED)) && !type.endsWith("Test"))
      || type.startsWith(FUNCTIONS);
  }
}
