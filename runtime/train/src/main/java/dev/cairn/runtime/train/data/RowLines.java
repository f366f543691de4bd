package dev.cairn.runtime.train.data;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The lines of a text file, perhaps gzipped, none longer than a row can be. Not thread-safe. */
final class RowLines implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  /** Some programs put a byte order mark before the first line. */
  private static final char MARK = '\uFEFF';

  private final Path file;
  private final Reader reader;
  private final char[] buffer = new char[BUFFER];
  private int next;
  private int end;
  private int number;
  private boolean endsWithReturn;

  RowLines(Path file) throws IOException {
    this.file = file;
    this.reader = new InputStreamReader(GzippedInput.open(file), StandardCharsets.UTF_8);
  }

  /** The number of the line that was read last; the first has 1. */
  int number() {
    return number;
  }

  /**
   * The next line without its end; null behind the last one.
   *
   * @param most characters
   * @throws IllegalArgumentException when the line is longer
   */
  @Nullable
  String read(int most) throws IOException {
    var line = new StringBuilder();
    boolean isAny = false;
    while (next < end || fill()) {
      char c = buffer[next++];
      boolean isSecondEnd = endsWithReturn && c == '\n';
      endsWithReturn = c == '\r';
      if (isSecondEnd || (c == MARK && number == 0 && line.isEmpty())) {
        continue;
      }
      isAny = true;
      if (c == '\n' || c == '\r') {
        number++;
        return line.toString();
      }
      if (line.length() == most) {
        throw new IllegalArgumentException("a line is longer than a row can be: file=%s line=%d most=%d".formatted(file,
          number + 1, most));
      }
      line.append(c);
    }
    number++;
    return isAny ? line.toString() : null;
  }

  private boolean fill() throws IOException {
    next = 0;
    end = Math.max(0, reader.read(buffer));
    return end > 0;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
