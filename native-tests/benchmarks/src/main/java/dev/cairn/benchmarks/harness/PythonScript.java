package dev.cairn.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Python script of the class path, as a file.
 *
 * @param python the interpreter
 */
public record PythonScript(String python, Path file) {
  /**
   * A script with the interpreter that the environment's {@code CAIRN_PYTHON} names, else the first {@code python3}.
   *
   * @param beside a class of the script's package
   */
  public static PythonScript of(Class<?> beside, String name) {
    try (InputStream source = beside.getResourceAsStream(name)) {
      if (source == null) {
        throw new AssertionError("the script is not on the class path: name=" + name);
      }
      Path folder = Files.createTempDirectory("cairn-python");
      folder.toFile().deleteOnExit();
      Path file = folder.resolve(name);
      Files.copy(source, file);
      file.toFile().deleteOnExit();
      return new PythonScript(System.getenv().getOrDefault("CAIRN_PYTHON", "python3"), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A process that runs the script, whose errors are dropped. */
  public ProcessBuilder process(String... words) {
    List<String> all = new ArrayList<>(List.of(python, file.toString()));
    all.addAll(List.of(words));
    return new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.DISCARD);
  }

  /** The only line that the script prints; empty when it fails, or there is no such interpreter. */
  public Optional<String> line(String... words) {
    try {
      Process asked = process(words).start();
      try (BufferedReader reader = asked.inputReader(StandardCharsets.UTF_8)) {
        String line = reader.readLine();
        return Optional.ofNullable(asked.waitFor() == 0 ? line : null);
      }
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
