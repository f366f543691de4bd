package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.SessionOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The figures that are measured once, not for each model.
 *
 * @param kernels of the processor, as Cairn names them
 * @param firstResult seconds that {@code ./cairn run mlp} takes for one run of the model, from start to end of the
 *   process
 */
record MachineFigures(String kernels, Sample firstResult) {
  private static final List<String> FIRST_RESULT = List.of("run", "mlp", "--warmup", "0", "--iterations", "1");

  /**
   * Measures.
   *
   * @param root of the project, with the launcher
   * @param rounds how many processes are timed; one more comes first, which may build Cairn and its archive of classes
   * @throws IllegalStateException when a process fails
   */
  static MachineFigures measured(Path root, int rounds) throws IOException, InterruptedException {
    String kernels;
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      kernels = compiler.kernels();
    }
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i <= rounds; i++) {
      double one = seconds(root.resolve("cairn"));
      if (i > 0) {
        seconds.add(one);
      }
    }
    return new MachineFigures(kernels, Sample.of(seconds));
  }

  private static double seconds(Path launcher) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(FIRST_RESULT);
    long started = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(
      ProcessBuilder.Redirect.DISCARD).start();
    if (!process.waitFor(ModelsBenchmark.LIMIT_OF_A_PROCESS.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the launcher did not end: command=" + command);
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException("the launcher failed: exit=%d command=%s".formatted(process.exitValue(),
        command));
    }
    return (System.nanoTime() - started) / 1e9;
  }

  /** Whether the processor has AMX, which multiplies {@code bfloat16} several times as fast as {@code float32}. */
  boolean hasTiles() {
    return kernels.contains("bfloat16 by AMX");
  }
}
