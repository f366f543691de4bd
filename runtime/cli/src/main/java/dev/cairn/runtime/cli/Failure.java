package dev.cairn.runtime.cli;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.InvalidModel;
import dev.cairn.runtime.UnsupportedOperators;
import dev.cairn.runtime.graph.InvalidGraph;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A failure as a person reads it: three lines, and the exit code. The one place where exceptions become words.
 *
 * @param cause what went wrong
 * @param evidence the facts that show it
 * @param remedy what to do now
 */
record Failure(ExitCode code, String cause, String evidence, String remedy) {

  /** Thrown by commands that know all three lines themselves. */
  static final class Known extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Failure failure;

    Known(ExitCode code, String cause, String evidence, String remedy) {
      super(cause + ": " + evidence);
      this.failure = new Failure(code, cause, evidence, remedy);
    }
  }

  static Failure of(Throwable error) {
    return switch (error) {
      case Known known -> known.failure;
      case OutOfMemory e -> outOfMemory(e);
      case UnsupportedOperators e -> unsupported(e);
      case InvalidModel e -> new Failure(ExitCode.INVALID_MODEL, "the model cannot be read", line(e),
        "check that the file is complete and valid ONNX, or export it again");
      case InvalidGraph e -> new Failure(ExitCode.INVALID_MODEL, "the model breaks a rule", line(e),
        "mend the model at this node; if an input's shape is open or wrong, give it: --shapes name:1x3x224x224");
      case IllegalArgumentException e -> new Failure(ExitCode.USAGE, "what was given does not fit", line(e),
        "see 'cairn inspect MODEL' for inputs and shapes, and 'cairn help' for options");
      case IOException e -> new Failure(ExitCode.OTHER, "a file cannot be read or written", e.getClass().getSimpleName()
        + ": " + line(e), "check the path and its permissions");
      case OutOfMemoryError e -> new Failure(ExitCode.OUT_OF_MEMORY, "the Java heap is full", line(e),
        "raise it: CAIRN_JVM_OPTIONS=-Xmx8g");
      default -> new Failure(ExitCode.OTHER, "unexpected failure", error.getClass().getSimpleName() + ": " + line(error),
        "this is a fault of Cairn's: run again with -v and report the stack trace");
    };
  }

  private static Failure outOfMemory(OutOfMemory error) {
    List<String> lines = String.valueOf(error.getMessage()).lines().toList();
    String evidence = String.join("; ", lines.subList(Math.min(1, lines.size()), Math.max(1, lines.size() - 1)));
    return new Failure(ExitCode.OUT_OF_MEMORY, lines.getFirst(), evidence, lines.getLast());
  }

  private static Failure unsupported(UnsupportedOperators error) {
    String gaps = error.gaps().stream().map(Object::toString).collect(Collectors.joining("; "));
    return new Failure(ExitCode.UNSUPPORTED, "the model uses %d thing%s that Cairn does not support".formatted(error.gaps()
      .size(), error.gaps().size() == 1 ? "" : "s"), gaps, "'cairn ops' lists what is supported; 'cairn ops MODEL' lists the gaps");
  }

  private static String line(Throwable error) {
    String message = error.getMessage();
    return message == null ? error.getClass().getSimpleName() : message.replace('\n', ' ');
  }

  @Override
  public String toString() {
    return "cairn: %s%n  %s%n  %s".formatted(cause, evidence, remedy);
  }
}
