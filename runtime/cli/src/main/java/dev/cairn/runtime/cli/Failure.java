package dev.cairn.runtime.cli;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Printable;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.compile.NotPrecompiled;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.runtime.cli.option.FileConflict;
import dev.cairn.runtime.cli.option.MissingSimulator;
import dev.cairn.runtime.cli.text.LongLine;
import dev.cairn.runtime.cli.text.Suggestion;
import dev.cairn.runtime.executor.StepFailed;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.RefusedHint;
import dev.cairn.runtime.memory.recompute.exact.TooLargeForExact;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.session.ChangedModelFile;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.zoo.Zoo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A failure as a person reads it: three lines, which continue on further lines where they are long, and the exit code.
 * The one place where exceptions become words.
 *
 * @param cause what went wrong
 * @param evidence the facts that show it
 * @param remedy what to do now
 */
record Failure(ExitCode code, String cause, String evidence, String remedy) {
  private static final Pattern NO_SUCH = Pattern.compile(
    "no such (?:[a-z]+ )*([a-z]+): [a-z]+=(\\S+) [a-z]+=\\[([^\\]]*)]$");
  /** What to do about an input that is refused, where a command has no better words. */
  static final String INPUTS = "see 'cairn inspect MODEL' for inputs and shapes, and 'cairn help' for options";
  private static final int NODES_NAMED = 3;
  private static final int KINDS_NAMED = 4;
  private static final int MOST_KIND_CHARS = 400;
  private static final int MOST_NAME_CHARS = 40;
  /** About a quarter of a screen. */
  private static final int MOST_EVIDENCE_CHARS = 1200;

  Failure {
    cause = oneLine(cause);
    evidence = shortened(oneLine(evidence));
    remedy = oneLine(remedy);
  }

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
    return of(error, INPUTS);
  }

  /** @param inputs what to do about an input that is refused */
  static Failure of(Throwable error, String inputs) {
    return switch (error) {
      case Known known -> known.failure;
      case OutOfMemory e -> outOfMemory(e);
      case UnsupportedOperators e -> unsupported(e);
      case InvalidModel e -> new Failure(ExitCode.INVALID_MODEL, "the model cannot be read", message(e), remedy(e));
      case ValueDependentShape e -> new Failure(ExitCode.UNSUPPORTED,
        "the model cannot be planned: a shape depends on a value that is known only at run time", message(e),
        unplanned(e.inputs()));
      case RefusedHint e -> new Failure(ExitCode.INVALID_MODEL, "a hint of the model cannot be obeyed", message(e),
        "take the hint from this node, or choose options that obey it: docs/howto/recompute-hints.md says which");
      case InvalidGraph e -> new Failure(ExitCode.INVALID_MODEL, "the model is invalid", message(e),
        "fix the model at this node; if an input is at fault, give its shape (--shapes name:1x3x224x224) or its "
          + "values (--load-inputs name:file.npy)");
      case CudaUnavailable e -> new Failure(ExitCode.MACHINE_LACKS, e.reason().words(), e.facts().toString(),
        "'cairn doctor' says what to do");
      case MissingSimulator e -> new Failure(ExitCode.MACHINE_LACKS, "the CUDA simulator is missing", message(e),
        e.remedy());
      case FileConflict e -> new Failure(ExitCode.USAGE, e.reason(), message(e), e.remedy());
      case NotPrecompiled e -> new Failure(ExitCode.MACHINE_LACKS, "a kernel cannot be compiled", message(e),
        "install NVRTC (pip install nvidia-cuda-nvrtc-cu12), or use --device cpu");
      case CudaFailure e -> new Failure(ExitCode.OTHER, "the GPU reported an error", message(e),
        "check nvidia-smi; 'cairn compare' finds the failing node, and --device cpu avoids the GPU");
      case ChangedModelFile e -> new Failure(ExitCode.INVALID_MODEL, "the model's file changed", message(e),
        "do not write into a model file in use: write a new file and rename it");
      case StepFailed e -> of(e.getCause(), inputs).at(e);
      case TooLargeForExact e -> new Failure(ExitCode.USAGE, "the graph is too large for --recompute exact", message(e),
        "use --recompute search, which finds a cheap choice without a proof");
      case IllegalArgumentException e -> new Failure(ExitCode.USAGE, "invalid input", message(e),
        suggestion(message(e)) + where(message(e), inputs));
      case UncheckedIOException e -> unreadable(e.getCause());
      case IOException e -> unreadable(e);
      case OutOfMemoryError e -> new Failure(ExitCode.OUT_OF_MEMORY, "the Java process is out of memory", message(e),
        "use smaller shapes, or raise the limit: CAIRN_JVM_OPTIONS='-Xmx8g -XX:MaxDirectMemorySize=8g'");
      default ->
        new Failure(ExitCode.OTHER, "unexpected failure", error.getClass().getSimpleName() + ": " + message(error),
          "this is a bug in Cairn: run again with -v and report the stack trace");
    };
  }

  private static String remedy(InvalidModel error) {
    if (error.file().filter(Files::isRegularFile).isEmpty()) {
      return Suggestion.sentence(error.file().map(Path::toString).orElse(""), Zoo.names())
        + "give the path of a model file, or the name of a reference model: see 'cairn zoo'";
    }
    return message(error).contains("node=")
      ? "fix the model at this node, or export it again"
      : "check that the file is complete and of the format that its name says, or export it again";
  }

  /** The same with the step that it came to light in. */
  private Failure at(StepFailed step) {
    return new Failure(code, cause, message(step), remedy);
  }

  /** What a message may mean that names a wrong name and the right ones, as facts. */
  static String suggestion(String message) {
    var facts = NO_SUCH.matcher(message);
    return facts.find() ? Suggestion.sentence(facts.group(2), List.of(facts.group(3).split(", "))) : "";
  }

  /** @param inputs where to look about what is neither a device nor a model */
  private static String where(String message, String inputs) {
    var facts = NO_SUCH.matcher(message);
    return switch (facts.find() ? facts.group(1) : "") {
      case "device" -> "see 'cairn devices'";
      case "model" -> "see 'cairn zoo'";
      default -> inputs;
    };
  }

  private static String unplanned(Set<String> inputs) {
    String run = "'cairn run' and 'cairn bench' run it; or export it with fixed shapes";
    return inputs.isEmpty()
      ? run
      : "give the values that decide it: %s; %s".formatted(inputs.stream().sorted().map(
        "--load-inputs %s:FILE.npy"::formatted).collect(Collectors.joining(" ")), run);
  }

  private static Failure unreadable(@Nullable IOException error) {
    String evidence = switch (error) {
      case null -> "unknown reason";
      case NoSuchFileException e -> "no such file or folder: " + message(e);
      case FileAlreadyExistsException e -> "expected a folder, found a file: " + message(e);
      case AccessDeniedException e -> "permission denied: " + message(e);
      case FileSystemException e when e.getReason() != null -> "%s: %s".formatted(e.getReason(), e.getFile());
      case IOException e when e.getClass() == IOException.class -> message(e);
      default -> error.getClass().getSimpleName() + ": " + message(error);
    };
    return new Failure(ExitCode.OTHER, "a file cannot be read or written", evidence, remedy(error));
  }

  private static String remedy(@Nullable IOException error) {
    if (error instanceof NoSuchFileException || error instanceof FileAlreadyExistsException) {
      return "check the path; the folder of an output file must exist";
    }
    if (error instanceof AccessDeniedException) {
      return "check the permissions of this path";
    }
    String message = String.valueOf(error == null ? null : error.getMessage());
    if (message.contains("No space left on device") || message.contains("Disk quota exceeded")) {
      return "free some space, or write to another disk";
    }
    if (message.contains("File name too long")) {
      return "use a shorter name";
    }
    return message.contains("Read-only file system")
      ? "write to another disk: this one is read-only"
      : "check the path and its permissions";
  }

  /** The message of this error is three lines itself. */
  private static Failure outOfMemory(OutOfMemory error) {
    List<String> lines = message(error).lines().toList();
    String evidence = String.join("; ", lines.subList(Math.min(1, lines.size()), Math.max(1, lines.size() - 1)));
    String remedy = error.leastLimitBytes().isEmpty()
      ? lines.getLast()
      : "raise --memory-limit to %d, the least that a run needs%s; %s'cairn plan' with this model, limit and shapes "
        .formatted(error.leastLimitBytes().getAsLong(), error.ways().isEmpty() ? "" : " as it is", error.ways().stream()
          .map(RemedyWords::of).map("or %s; "::formatted).collect(Collectors.joining()))
        + "shows other ways";
    return new Failure(ExitCode.OUT_OF_MEMORY, lines.getFirst(), evidence, remedy);
  }

  /** Gaps of one kind together: {@code Foo (no such operator) at n1, n2; Conv (no kernel for ...) at c7}. */
  private static Failure unsupported(UnsupportedOperators error) {
    List<UnsupportedOperators.Kind> kinds = error.kinds();
    int chars = MOST_KIND_CHARS / Math.clamp(kinds.size(), 1, KINDS_NAMED);
    String evidence = kinds.stream().limit(KINDS_NAMED)
      .map(it -> Printable.of(it.toString(), chars) + " at " + named(it.nodes()))
      .collect(Collectors.joining("; "));
    int more = kinds.size() - KINDS_NAMED;
    if (more > 0) {
      evidence += "; and %d more kinds of nodes".formatted(more);
    }
    String where = error.gaps().size() == 1 ? "at 1 node" : "at %d nodes".formatted(error.gaps().size());
    return new Failure(ExitCode.UNSUPPORTED, "the model needs features that Cairn does not support, " + where, evidence,
      "'cairn ops' lists what is supported; 'cairn ops MODEL --nodes' shows these nodes as a table");
  }

  /** All of few nodes; the number of many, and the first of them. */
  private static String named(List<String> nodes) {
    String first = nodes.stream().limit(NODES_NAMED).map(it -> Printable.of(it, MOST_NAME_CHARS)).collect(Collectors
      .joining(", "));
    return nodes.size() <= NODES_NAMED ? first : "%d nodes, first at %s".formatted(nodes.size(), first);
  }

  private static String shortened(String evidence) {
    int more = evidence.length() - MOST_EVIDENCE_CHARS;
    return more <= 0
      ? evidence
      : "%s ... and %,d more characters; -v for all".formatted(evidence.substring(0, MOST_EVIDENCE_CHARS), more);
  }

  private static String message(Throwable error) {
    String message = error.getMessage();
    return message == null || message.isBlank() ? error.getClass().getSimpleName() : message;
  }

  private static String oneLine(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("; "));
  }

  @Override
  public String toString() {
    return String.join(System.lineSeparator(), LongLine.of("cairn: ", cause), LongLine.of("  ", evidence), LongLine.of(
      "  ", remedy));
  }
}
