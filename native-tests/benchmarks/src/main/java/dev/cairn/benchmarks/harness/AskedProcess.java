package dev.cairn.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** A process that is asked by lines: a question to it, a number back. */
public final class AskedProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;

  /** Starts it. Its errors go where those of this process go. */
  public AskedProcess(ProcessBuilder builder) {
    try {
      this.process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Asks and waits. */
  public double ask(String question) {
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
