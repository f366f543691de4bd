package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.PythonScript;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * PyTorch with the same architecture, in a process of its own ({@code torch_models.py}), which is asked by lines: one
 * word or two to it, one line back.
 */
final class TorchModel implements ModelSide {
  /** How a model is run. */
  enum Mode {
    EAGER,
    COMPILE,
    GRAPHS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** torch.compile may take minutes to begin with. */
  private static final long PATIENCE_SECONDS = 600;

  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;

  private TorchModel(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.questions = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /** PyTorch's models. */
  static PythonScript script() {
    return PythonScript.of(TorchModel.class, "torch_models.py");
  }

  /** The installed PyTorch, such as {@code PyTorch 2.5.1, CUDA 12.4}, or that there is none. */
  static String describe(PythonScript script) {
    return script.line("version").orElse("PyTorch: not installed, or it finds no GPU");
  }

  /** @throws IllegalStateException when PyTorch cannot run it so */
  static TorchModel open(PythonScript script, ModelCase which, Mode mode, int ordinal) {
    try {
      var made = new TorchModel(script.process(which.model(), Integer.toString(which.batch()), Integer.toString(which
        .tokens()), which.computed().toString(), mode.toString(), Integer.toString(ordinal)).start());
      try {
        made.answer("ready");
        return made;
      } catch (RuntimeException | Error e) {
        made.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private double ask(String question) {
    try {
      questions.write(question + "\n");
      questions.flush();
    } catch (IOException e) {
      throw new IllegalStateException("PyTorch has ended: question=" + question, e);
    }
    return Double.parseDouble(answer(question.split(" ", -1)[0]));
  }

  /** The text after the word that begins the line. */
  private String answer(String word) {
    try {
      String line = CompletableFuture.supplyAsync(this::line).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!line.startsWith(word)) {
        throw new IllegalStateException("PyTorch: " + line);
      }
      return line.substring(word.length()).strip();
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("PyTorch does not answer: wanted=" + word, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: wanted=" + word, e);
    }
  }

  private String line() {
    try {
      String line = answers.readLine();
      return line == null ? "ended without an answer" : line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public double medianMillis(int runs) {
    return ask("run " + runs);
  }

  @Override
  public long peakBytes() {
    return (long) ask("peak");
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
