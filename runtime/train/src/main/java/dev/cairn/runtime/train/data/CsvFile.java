package dev.cairn.runtime.train.data;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.NativeTensor;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipException;

/** Files of comma-separated numbers: features, then a class label, a row in each line; perhaps gzipped. */
public final class CsvFile {
  /** Characters of the first row, whose number of columns is not known yet. */
  private static final int MOST_FIRST = 1 << 24;
  /** Characters of a number, with the comma behind it. */
  private static final int MOST_NUMBER = 64;

  private CsvFile() {}

  /**
   * Reads features {@code float32[N,columns-1]} and labels {@code int64[N]}. A first line that has no number in its
   * first column is a header, and is left out, as are empty lines.
   *
   * @throws IllegalArgumentException when a line is not one of numbers, has another number of columns than the first,
   *   or is longer than a row can be; names file and line
   */
  public static ArrayDataset read(Path file) throws IOException {
    List<float[]> features = new ArrayList<>();
    List<Long> labels = new ArrayList<>();
    int most = MOST_FIRST;
    try (var lines = new RowLines(file)) {
      for (String line = lines.read(most); line != null; line = lines.read(most)) {
        int number = lines.number();
        if (line.isBlank() || (number == 1 && isHeader(line))) {
          continue;
        }
        String[] columns = line.split(",", -1);
        int wanted = features.isEmpty() ? columns.length : features.getFirst().length + 1;
        if (columns.length != wanted || wanted < 2) {
          throw invalid(file, number, "columns=%d wanted=%s".formatted(columns.length, wanted < 2
            ? "at least 2"
            : wanted));
        }
        features.add(numbers(columns, file, number));
        labels.add(label(columns[wanted - 1], file, number));
        most = Math.max(line.length(), Math.min(MOST_FIRST, MOST_NUMBER * wanted));
      }
    } catch (ZipException e) {
      throw new IllegalArgumentException("a gzipped file is damaged: file=%s rows=%d reason=%s".formatted(file, labels
        .size(), e.getMessage()), e);
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException("the rows of a file do not fit the Java heap: file=%s rows=%d".formatted(file,
        labels.size()), e);
    } catch (EOFException e) {
      throw new IllegalArgumentException("a file is cut off: file=%s rows=%d".formatted(file, labels.size()), e);
    }
    if (features.isEmpty()) {
      throw new IllegalArgumentException("a file has no rows: file=" + file);
    }
    return new ArrayDataset(matrix(features), column(labels));
  }

  private static boolean isHeader(String line) {
    try {
      Float.parseFloat(line.split(",", 2)[0]);
      return false;
    } catch (NumberFormatException e) {
      return true;
    }
  }

  private static float[] numbers(String[] columns, Path file, int line) {
    float[] row = new float[columns.length - 1];
    for (int i = 0; i < row.length; i++) {
      try {
        row[i] = Float.parseFloat(columns[i]);
      } catch (NumberFormatException e) {
        throw invalid(file, line, "column=%d text=\"%s\" wanted=a number".formatted(i + 1, columns[i]));
      }
      if (!Float.isFinite(row[i])) {
        throw invalid(file, line, "column=%d text=\"%s\" wanted=a finite number".formatted(i + 1, columns[i]));
      }
    }
    return row;
  }

  private static long label(String text, Path file, int line) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw invalid(file, line, "label=\"%s\" wanted=a whole number in the last column".formatted(text));
    }
  }

  private static IllegalArgumentException invalid(Path file, int line, String what) {
    return new IllegalArgumentException("not a row of numbers: file=%s line=%d %s".formatted(file, line, what));
  }

  private static TensorView matrix(List<float[]> rows) {
    int width = rows.getFirst().length;
    TensorView matrix = NativeTensor.allocate(TensorType.of(DType.FLOAT32, rows.size(), width));
    for (int row = 0; row < rows.size(); row++) {
      for (int i = 0; i < width; i++) {
        matrix.segment().setAtIndex(ValueLayout.JAVA_FLOAT, (long) row * width + i, rows.get(row)[i]);
      }
    }
    return matrix;
  }

  private static TensorView column(List<Long> labels) {
    TensorView column = NativeTensor.allocate(TensorType.of(DType.INT64, labels.size()));
    for (int row = 0; row < labels.size(); row++) {
      column.segment().setAtIndex(ValueLayout.JAVA_LONG, row, labels.get(row));
    }
    return column;
  }
}
