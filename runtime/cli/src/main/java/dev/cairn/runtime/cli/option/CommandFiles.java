package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.report.WholeFile;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The files that a command line names, found by {@link FileUse} on its options and parameters. Compares outputs with
 * inputs and with each other, so that no output replaces what the command reads or has just written. Paths are compared
 * as files: a link and its target are one file, as are two paths to it.
 */
public final class CommandFiles {
  private final List<Named> read = new ArrayList<>();
  private final List<Named> written = new ArrayList<>();
  private final List<FileArgument> outputs = new ArrayList<>();

  /**
   * @param option as it is typed
   * @param mayReplace an option with a file that this one may replace; empty for none
   */
  private record Named(String option, Path file, String mayReplace) {
    boolean isSameAs(Named other) throws IOException {
      Path mine = WholeFile.target(file);
      Path its = WholeFile.target(other.file);
      return mine.equals(its) || (holdsBytes(mine) && holdsBytes(its) && Files.isSameFile(mine, its));
    }

    private static boolean holdsBytes(Path file) {
      return Files.isRegularFile(file) || Files.isDirectory(file);
    }

    /** A pipe or a device is written to; nothing is lost. */
    boolean canLose() {
      return !Files.exists(file) || holdsBytes(file);
    }

    @Override
    public String toString() {
      return option + "=" + file;
    }
  }

  /** The files that a command line names; the command must have been parsed. */
  public static CommandFiles of(CommandSpec spec) {
    var files = new CommandFiles();
    Stream.concat(spec.options().stream(), spec.positionalParameters().stream()).forEach(files::add);
    return files;
  }

  /** What a command does with the files of an argument; empty when the argument names none. */
  public static Optional<FileUse> use(ArgSpec argument) {
    return argument.userObject() instanceof Field field
      ? Optional.ofNullable(field.getAnnotation(FileUse.class))
      : Optional.empty();
  }

  private void add(ArgSpec argument) {
    Optional<FileUse> use = use(argument);
    if (use.isEmpty() || use.get().value() == FileUse.Kind.CACHE) {
      return;
    }
    String name = argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    boolean isWritten = use.get().value() == FileUse.Kind.WRITTEN;
    for (FileArgument value : values(argument.getValue())) {
      value.files().forEach(it -> (isWritten ? written : read).add(new Named(name, it, use.get().mayReplace())));
      if (isWritten) {
        outputs.add(value);
      }
    }
  }

  private static List<FileArgument> values(@Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case FileArgument files -> List.of(files);
      case Path file -> List.of(() -> List.of(file));
      // A model's name, or a file; standard input is "-".
      case String text when Files.exists(Path.of(text)) -> List.of(() -> List.of(Path.of(text)));
      case String _ -> List.of();
      case Collection<?> many -> many.stream().flatMap(it -> values(it).stream()).toList();
      case Object[] many -> values(Arrays.asList(many));
      default -> throw new AssertionError("not files: " + value.getClass());
    };
  }

  /**
   * Checks all files before the work.
   *
   * @throws FileConflict when an output is an input or another output
   * @throws IOException when an output could not be written
   */
  public void require() throws IOException {
    for (FileArgument output : outputs) {
      output.requireWritable();
    }
    for (int i = 0; i < written.size(); i++) {
      Named output = written.get(i);
      for (Named input : read) {
        if (!output.mayReplace().equals(input.option())) {
          requireApart(output, input);
        }
      }
      for (Named other : written.subList(0, i)) {
        requireApart(output, other);
      }
    }
  }

  /**
   * Checks a file that the work turns out to read, such as a model's external data.
   *
   * @throws FileConflict when an output would replace it
   */
  public void requireInput(String what, Path file) throws IOException {
    for (Named output : written) {
      requireApart(output, new Named(what, file, ""));
    }
  }

  /**
   * Checks files that the work turns out to write, such as those in a folder of outputs.
   *
   * @throws FileConflict when one of them is an input or an output of another option
   */
  public void requireOutputs(String option, Collection<Path> files) throws IOException {
    for (Path file : files) {
      var output = new Named(option, file, "");
      for (Named other : Stream.concat(read.stream(), written.stream()).toList()) {
        if (!other.option().equals(option)) {
          requireApart(output, other);
        }
      }
    }
  }

  private void requireApart(Named output, Named other) throws IOException {
    if (output.canLose() && output.isSameAs(other)) {
      boolean isRead = read.contains(other) || !written.contains(other);
      throw new FileConflict(isRead ? "an output would replace an input" : "two outputs are one file",
        "%s is the same file as %s".formatted(output, other), "name another file with " + output.option());
    }
  }
}
