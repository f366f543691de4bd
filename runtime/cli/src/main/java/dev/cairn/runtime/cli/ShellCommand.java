package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.FileUse;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jshell.tool.JavaShellToolBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cairn shell}: Java's shell with Cairn's classes, imports and flags, and an array runtime named "arrays". */
@Command
final class ShellCommand extends CairnCommand {
  /** The flags of the launcher that Cairn needs, for the JVM that runs the snippets. */
  private static final List<String> FLAGS = List.of("--add-modules=jdk.incubator.vector",
    "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-XX:+UseSerialGC",
    "-Xlog:cds=off");

  @FileUse(FileUse.Kind.READ)
  @Parameters(paramLabel = "FILE", arity = "0..*",
    description = "Files with snippets to run first; '-' reads standard input without a prompt.")
  private List<String> files = List.of();

  @Override
  ExitCode execute() throws IOException {
    return start(JavaShellToolBuilder.builder(), files) == 0 ? ExitCode.OK : ExitCode.OTHER;
  }

  /** Runs a shell until it ends, and returns its exit code. */
  static int start(JavaShellToolBuilder tool, List<String> files) throws IOException {
    Path startup = Files.createTempFile("cairn-", ".jsh");
    try {
      Files.writeString(startup, startup());
      List<String> arguments = new ArrayList<>(List.of("--class-path", classPath(), "--startup", startup
        .toString()));
      FLAGS.forEach(flag -> arguments.add("-R" + flag));
      arguments.addAll(files);
      return tool.start(arguments.toArray(String[]::new));
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the shell could not be started: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(startup);
    }
  }

  /** The class path of this JVM, without what is not there: the shell would refuse it. */
  static String classPath() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL).splitAsStream(System.getProperty("java.class.path"))
      .filter(it -> !it.isEmpty() && Files.exists(Path.of(it))).collect(Collectors.joining(File.pathSeparator));
  }

  /** What every shell runs before the first prompt. */
  static String startup() throws IOException {
    try (InputStream in = ShellCommand.class.getResourceAsStream("startup.jsh")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
