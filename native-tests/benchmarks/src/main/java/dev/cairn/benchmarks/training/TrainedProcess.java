package dev.cairn.benchmarks.training;

import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.PythonScript;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A network in training in a process of its own, which is asked by lines: a question to it, a number back. */
final class TrainedProcess implements AutoCloseable {
  /** The heap that the launcher gives a user's training, whose resident memory is compared. */
  private static final List<String> HEAP = List.of("-XX:-UseTransparentHugePages", "-XX:InitialHeapSize=32m");

  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;

  private TrainedProcess(ProcessBuilder builder) {
    try {
      this.process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
  }

  static TrainedProcess cairn(String model, int batch) {
    return new TrainedProcess(new ProcessBuilder(ChildJvm.command(TrainedMain.class, List.of(model, Integer.toString(
      batch)), HEAP)));
  }

  static TrainedProcess torch(PythonScript script, String model, int batch) {
    return new TrainedProcess(script.process(model, Integer.toString(batch)));
  }

  /**
   * Asks and waits.
   *
   * @param question {@code iterate N}: milliseconds of each of N iterations; {@code warm up}: 0, of Cairn alone;
   *        {@code grown}: MiB
   */
  double ask(String question) {
    try {
      questions.write(question + "\n");
      questions.flush();
      String line = answers.readLine();
      if (line == null) {
        throw new IllegalStateException("the process has ended: question=" + question);
      }
      return Double.parseDouble(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
