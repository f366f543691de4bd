package dev.cairn.benchmarks.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs main classes in processes of their own, with this JVM's java, options and class path, one at a time. */
public final class ChildJvm {
  private final Path folder;
  private final Duration limit;

  /**
   * @param folder for what a child prints
   * @param limit a child that takes longer is ended, and counts as failed
   */
  public ChildJvm(Path folder, Duration limit) {
    this.folder = folder;
    this.limit = limit;
  }

  /**
   * The child's standard output.
   *
   * @throws IllegalStateException when the child fails, with the end of what it printed to standard error
   */
  public List<String> run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
    Path output = folder.resolve("child.out");
    Path errors = folder.resolve("child.err");
    var builder = new ProcessBuilder(command(main, arguments)).redirectOutput(output.toFile()).redirectError(errors
      .toFile());
    // A child that outlived this JVM would disturb the next measurement.
    var child = new BoundProcess();
    var hook = new Thread(child::end);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      Process process = child.start(builder);
      boolean ended = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
      if (!ended || process.exitValue() != 0) {
        throw new IllegalStateException("a child process failed: main=%s arguments=%s %s%n%s".formatted(main.getName(),
          arguments, ended ? "exit=" + process.exitValue() : "limit=" + limit, end(errors)));
      }
      return Files.readAllLines(output);
    } finally {
      child.end();
      remove(hook);
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook has run or will run.
    }
  }

  /** A process that ends with this JVM, also if this JVM ends while it starts the process. */
  private static final class BoundProcess {
    private @Nullable Process process;
    private boolean isOver;

    synchronized Process start(ProcessBuilder builder) throws IOException {
      if (isOver) {
        throw new IllegalStateException("this JVM is ending, so it starts no process");
      }
      Process started = builder.start();
      process = started;
      return started;
    }

    /** Ends the process, or keeps it from starting, and waits until it has ended. */
    synchronized void end() {
      isOver = true;
      if (process != null) {
        process.destroyForcibly().onExit().join();
      }
    }
  }

  /** The command line of such a process. */
  public static List<String> command(Class<?> main, List<String> arguments) {
    return command(main, arguments, List.of());
  }

  /** @param options of the JVM that take the place of this one's */
  public static List<String> command(Class<?> main, List<String> arguments, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return command;
  }

  private static String end(Path errors) throws IOException {
    List<String> lines = Files.readAllLines(errors);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
  }
}
