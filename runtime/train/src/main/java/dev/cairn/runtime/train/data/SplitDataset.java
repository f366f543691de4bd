package dev.cairn.runtime.train.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rows to train with, and rows to test with: parts of one data set, or two data sets. */
public final class SplitDataset {
  private static final List<String> IDX_NAMES = List.of("train-images-idx3-ubyte", "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");

  private final List<ArrayDataset> whole;
  private final int every;
  private final ArrayDataset train;
  private final ArrayDataset test;

  private SplitDataset(List<ArrayDataset> whole, int every) {
    this.whole = whole;
    this.every = every;
    ArrayDataset first = whole.getFirst();
    this.train = every == 0 ? first : first.where(row -> row % every != 0);
    this.test = every == 0 ? whole.getLast() : first.where(row -> row % every == 0);
  }

  /** Every n-th row of a data set tests, from its first row on. */
  public static SplitDataset of(ArrayDataset all, int every) {
    if (every < 2) {
      throw new IllegalArgumentException("at most every second row tests: every=" + every);
    }
    return new SplitDataset(List.of(all), every);
  }

  /** The files that {@link #ofIdx} reads from a folder, as far as there are any. */
  public static List<Path> idxFiles(Path folder) {
    return IDX_NAMES.stream().map(name -> idxFile(folder, name)).filter(Files::isRegularFile).toList();
  }

  /** The file of this name, which may be gzipped. */
  private static Path idxFile(Path folder, String name) {
    Path plain = folder.resolve(name);
    return Files.isRegularFile(plain) ? plain : folder.resolve(name + ".gz");
  }

  /**
   * Reads the four files of MNIST and its successors, which may be gzipped, as {@link IdxFile#dataset} does.
   *
   * @param folder has {@code train-images-idx3-ubyte}, {@code train-labels-idx1-ubyte}, {@code
   *   t10k-images-idx3-ubyte} and {@code t10k-labels-idx1-ubyte}, with or without {@code .gz}
   * @throws IllegalArgumentException when files are missing, or one is damaged; names it
   */
  public static SplitDataset ofIdx(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String name : IDX_NAMES) {
      Path file = idxFile(folder, name);
      if (!Files.isRegularFile(file)) {
        missing.add(name + ".gz");
      }
      files.add(file);
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("a folder lacks files of images and labels: folder=%s missing=%s".formatted(
        folder, missing));
    }
    return new SplitDataset(List.of(IdxFile.dataset(files.get(0), files.get(1)), IdxFile.dataset(files.get(2), files
      .get(files.size() - 1))), 0);
  }

  public ArrayDataset train() {
    return train;
  }

  public ArrayDataset test() {
    return test;
  }

  /** Where a row of {@link #train} stands in the whole data set, between rows of {@link #test}; both count from 0. */
  public int placeOf(int trainRow) {
    return every == 0 ? trainRow : trainRow + trainRow / (every - 1) + 1;
  }

  /** The same rows with other features, such as {@code it -> it.resized(28, 28)}. */
  public SplitDataset map(UnaryOperator<ArrayDataset> change) {
    return new SplitDataset(whole.stream().map(change).toList(), every);
  }

  /** One more than the largest label. */
  public int classes() {
    long largest = -1;
    for (ArrayDataset data : whole) {
      for (long row = 0; row < data.rows(); row++) {
        largest = Math.max(largest, data.labels().longAt(row));
      }
    }
    return Math.toIntExact(largest + 1);
  }

  /**
   * Like {@link ArrayDataset#requireClasses}, of all rows.
   *
   * @throws IllegalArgumentException when a label is outside {@code [0, classes)}; names the first such row
   */
  public SplitDataset requireClasses(int classes) {
    for (int i = 0; i < whole.size(); i++) {
      try {
        whole.get(i).requireClasses(classes);
      } catch (IllegalArgumentException e) {
        throw i == 0 ? e : new IllegalArgumentException("rows to test with: " + e.getMessage(), e);
      }
    }
    return this;
  }
}
