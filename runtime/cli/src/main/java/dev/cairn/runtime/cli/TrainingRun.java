package dev.cairn.runtime.cli;

import dev.cairn.kernels.cpu.vector.VectorModule;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Runs the commands that most users start with, in one process. The launcher starts it once, when it has built Cairn,
 * and the JVM writes an AOT cache: the classes, linked, and how often methods were called. Later starts are faster
 * with it.
 */
final class TrainingRun {
  /** A small product, and a model with convolutions: these two load most kernels and the native library. */
  private static final String SMALL = "mlp";
  private static final String CONVOLUTIONS = "mobilenet_v2";

  private TrainingRun() {}

  /** Ends with exit code 0 if every command did. */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    RuntimeOptions options = RuntimeOptions.ofProcess();
    var out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    Path file = Files.createTempFile("cairn-", ".onnx");
    try {
      for (List<String> words : commands(file.toString())) {
        int code = Main.execute(words.toArray(String[]::new), out, out, options);
        if (code != ExitCode.OK.number()) {
          System.exit(code);
        }
      }
      boolean _ = VectorModule.load(); // Last, so that the cache has the classes that loading takes, too
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static List<List<String>> commands(String file) {
    return List.of(List.of("run", SMALL), List.of("plan", SMALL), List.of("zoo", CONVOLUTIONS, "-o", file), List.of(
      "run", file, "--iterations", "1", "--warmup", "0"), List.of("plan", file, "--format", "json"),
      List.of("version"), List.of("run", "--help"), List.of("completion"));
  }
}
