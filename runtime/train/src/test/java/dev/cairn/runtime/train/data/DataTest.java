package dev.cairn.runtime.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.train.data.Batches.Last;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of data, and how they are cut into batches. */
class DataTest {
  @TempDir
  private Path folder;

  private static ArrayDataset counted(int rows) {
    float[] features = new float[2 * rows];
    for (int i = 0; i < features.length; i++) {
      features[i] = i;
    }
    long[] labels = IntStream.range(0, rows).asLongStream().toArray();
    return new ArrayDataset(TensorView.ofFloats(Shape.of(rows, 2), features), TensorView.ofLongs(labels));
  }

  private static List<Batch> all(Batches batches, long epoch) {
    List<Batch> all = new ArrayList<>();
    batches.epoch(epoch).forEach(all::add);
    return all;
  }

  private Path csv(String text) throws IOException {
    return Files.writeString(folder.resolve("data.csv"), text);
  }

  private static byte[] gzipped(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] idx(int type, int[] extents, int... values) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeInt(type << 8 | extents.length);
    for (int extent : extents) {
      out.writeInt(extent);
    }
    for (int value : values) {
      if (type == 0x08) {
        out.writeByte(value);
      } else {
        out.writeInt(value);
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void theLastBatchIsKeptDiscardedOrPadded() {
    Batches keep = Batches.of(counted(5), 2);
    assertThat(all(keep, 0)).extracting(Batch::valid).containsExactly(2, 2, 1);
    assertThat(all(keep.withLast(Last.DISCARD), 0)).hasSize(2).hasSize(keep.withLast(Last.DISCARD).count());
    Batch padded = all(keep.withLast(Last.PAD), 0).getLast();
    assertThat(padded.rows()).containsExactly(4, 0);
    assertThat(padded.valid()).isEqualTo(1);
    assertThat(padded.features().shape()).isEqualTo(Shape.of(2, 2));
    assertThat(padded).hasToString("batch 2 of rows [4]");
  }

  @Test
  void shufflingKeepsRowsTogetherAndDependsOnSeedAndEpoch() {
    Batches batches = Batches.of(counted(50), 8).shuffled(3);
    int[] first = rows(batches, 0);
    assertThat(first).containsExactlyInAnyOrder(IntStream.range(0, 50).toArray()).isNotEqualTo(IntStream.range(0, 50)
      .toArray());
    assertThat(rows(batches, 0)).isEqualTo(first);
    assertThat(rows(batches, 1)).isNotEqualTo(first);
    assertThat(rows(Batches.of(counted(50), 8).shuffled(4), 0)).isNotEqualTo(first);
    Batch batch = all(batches, 0).get(2);
    assertThat(batch.labels().toLongArray()).isEqualTo(Arrays.stream(batch.rows()).asLongStream().toArray());
    assertThat(batch.features().doubleAt(1)).isEqualTo(2 * batch.rows()[0] + 1);
  }

  private static int[] rows(Batches batches, long epoch) {
    return all(batches, epoch).stream().flatMapToInt(it -> IntStream.of(it.rows())).toArray();
  }

  @Test
  void anEpochResumesInItsMiddle() {
    Batches batches = Batches.of(counted(20), 3).shuffled(1);
    List<Batch> rest = new ArrayList<>();
    batches.epoch(4, 5).forEach(rest::add);
    assertThat(rest).extracting(Batch::number).containsExactly(5, 6);
    assertThat(rest.getFirst().rows()).isEqualTo(all(batches, 4).get(5).rows());
  }

  @Test
  void csvFilesHaveFeaturesAndALabel() throws IOException {
    ArrayDataset data = CsvFile.read(csv("a,b,label\n1,2.5,0\n\n-3,4e1,7\n"));
    assertThat(data.features().shape()).isEqualTo(Shape.of(2, 2));
    assertThat(data.features().doubleAt(3)).isEqualTo(40);
    assertThat(data.labels().toLongArray()).containsExactly(0, 7);
    Path packed = Files.write(folder.resolve("data.csv.gz"), gzipped(Files.readAllBytes(csv("1,2,0\n"))));
    assertThat(CsvFile.read(packed).rows()).isEqualTo(1);
    assertThat(CsvFile.read(csv("\uFEFF1,2,0\n3,4,1\n")).rows()).isEqualTo(2);
  }

  @Test
  void badLinesAreNamed() {
    assertBad("1,2,0\n1,x,0\n", "line=2 column=2 text=\"x\"");
    assertBad("1,2,0\n1,2\n", "line=2 columns=2 wanted=3");
    assertBad("1,2,0\n1,2,0.5\n", "line=2 label=\"0.5\"");
    assertBad("1,NaN,0\n", "line=1 column=2");
    assertBad("", "no rows");
    assertBad("1\n", "at least 2");
  }

  private void assertBad(String text, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> CsvFile.read(csv(text))).withMessageContaining("data.csv")
      .withMessageContaining(message);
  }

  @Test
  void labelsOutOfRangeAreNamedWithTheirRow() {
    assertThat(counted(3).requireClasses(3).rows()).isEqualTo(3);
    assertThatIllegalArgumentException().isThrownBy(() -> counted(5).requireClasses(3)).withMessageContaining(
      "row=3 label=3 classes=3");
  }

  @Test
  void idxFilesOfBytesAndIntegers() throws IOException {
    Path images = Files.write(folder.resolve("images.gz"), gzipped(idx(0x08, new int[] {2, 1, 2}, 0, 255, 51, 102)));
    Path labels = Files.write(folder.resolve("labels"), idx(0x08, new int[] {2}, 3, 9));
    ArrayDataset data = IdxFile.dataset(images, labels).reshaped(2);
    assertThat(data.features().type()).hasToString("float32[2x2]");
    assertThat(data.features().doubleAt(2)).isEqualTo(0.2f);
    assertThat(data.labels().toLongArray()).containsExactly(3, 9);
    Path numbers = Files.write(folder.resolve("numbers"), idx(0x0C, new int[] {2}, 1, -70_000));
    assertThat(IdxFile.read(numbers).toLongArray()).containsExactly(1, -70_000);
  }

  /** What a small file says of itself must not make Cairn unpack or allocate gigabytes. */
  @Test
  void aLineOrAHeaderThatNoFileOfItsSizeHasIsRefused() throws IOException {
    byte[] digits = new byte[(1 << 24) + 1];
    Arrays.fill(digits, (byte) '1');
    Path line = Files.write(folder.resolve("line.csv.gz"), gzipped(digits));
    assertThatIllegalArgumentException().isThrownBy(() -> CsvFile.read(line)).withMessageContaining(
      "a line is longer than a row can be: file=" + line).withMessageContaining("line=1 most=16777216");
    Path later = csv("1,2,0\n" + "1,2," + "0".repeat(300) + "\n");
    assertThatIllegalArgumentException().isThrownBy(() -> CsvFile.read(later)).withMessageContaining("line=2 most=192");
    Path plain = Files.write(folder.resolve("plain"), idx(0x08, new int[] {1 << 30, 8}, 1, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> IdxFile.read(plain)).withMessageContaining("file=" + plain)
      .withMessageContaining("bytes=2 wanted=8589934592 row=0");
    Path packed = Files.write(folder.resolve("packed"), gzipped(idx(0x08, new int[] {1 << 30, 8}, 1, 2)));
    assertThatIllegalArgumentException().isThrownBy(() -> IdxFile.read(packed))
      .withMessageContaining("wanted=8589934592");
  }

  @Test
  void aDamagedGzipIsNamed() throws IOException {
    byte[] packed = gzipped("1,2,0\n".repeat(2000).getBytes(StandardCharsets.UTF_8));
    packed[packed.length / 2] ^= 0x55;
    packed[10] = (byte) 0xFF;
    Path file = Files.write(folder.resolve("d.gz"), packed);
    assertThatIllegalArgumentException().isThrownBy(() -> CsvFile.read(file)).withMessageContaining(
      "a gzipped file is damaged: file=" + file);
    assertThatIllegalArgumentException().isThrownBy(() -> IdxFile.read(file)).withMessageContaining(
      "a gzipped file is damaged: file=" + file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void linesEndAsOnAnySystem(String end) throws IOException {
    ArrayDataset read = CsvFile.read(csv("\uFEFFa,b,label" + end + "1,2,0" + end + end + "3,4,1"));
    assertThat(read.rows()).isEqualTo(2);
    assertThat(read.labels().toLongArray()).containsExactly(0, 1);
    assertThatIllegalArgumentException().isThrownBy(() -> CsvFile.read(csv("1,0" + end + end + "x,1" + end)))
      .withMessageContaining("line=3");
  }

  @Test
  void filesThatAreCutOffAreNamedWithTheirRow() throws IOException {
    byte[] whole = idx(0x08, new int[] {3, 2}, 1, 2, 3, 4, 5, 6);
    Path file = Files.write(folder.resolve("short"), Arrays.copyOf(whole, whole.length - 3));
    assertThatIllegalArgumentException().isThrownBy(() -> IdxFile.read(file)).withMessageContaining("bytes=3 wanted=6"
      + " row=1");
    byte[] packed = gzipped(whole);
    Path cut = Files.write(folder.resolve("short.gz"), Arrays.copyOf(packed, packed.length / 2));
    assertThatIllegalArgumentException().isThrownBy(() -> IdxFile.read(cut)).withMessageContaining("cut off");
    Path header = Files.write(folder.resolve("header"), Arrays.copyOf(whole, 6));
    assertThatIllegalArgumentException().isThrownBy(() -> IdxFile.read(header)).withMessageContaining("header");
    Path other = Files.write(folder.resolve("other"), new byte[] {1, 2, 3, 4});
    assertThatIllegalArgumentException().isThrownBy(() -> IdxFile.read(other)).withMessageContaining("0x01020304");
    byte[] lines = gzipped("1,2,0\n".repeat(2000).getBytes(StandardCharsets.UTF_8));
    Path csv = Files.write(folder.resolve("short.csv.gz"), Arrays.copyOf(lines, lines.length - 9));
    assertThatIllegalArgumentException().isThrownBy(() -> CsvFile.read(csv)).withMessageContaining("cut off");
  }

  private void writeMnist(int images, int... labels) throws IOException {
    int[] pixels = IntStream.range(0, images * 4).toArray();
    Files.write(folder.resolve("train-images-idx3-ubyte.gz"), gzipped(idx(0x08, new int[] {images, 2, 2}, pixels)));
    Files.write(folder.resolve("train-labels-idx1-ubyte.gz"), gzipped(idx(0x08, new int[] {labels.length}, labels)));
    Files.write(folder.resolve("t10k-images-idx3-ubyte"), idx(0x08, new int[] {1, 2, 2}, 9, 8, 7, 6));
    Files.write(folder.resolve("t10k-labels-idx1-ubyte"), idx(0x08, new int[] {1}, 4));
  }

  @Test
  void aFolderOfIdxFilesHasItsOwnTestRows() throws IOException {
    assertThatIllegalArgumentException().isThrownBy(() -> SplitDataset.ofIdx(folder)).withMessageContaining(
      "missing=[train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz, t10k-images-idx3-ubyte.gz, t10k-labels");
    writeMnist(3, 0, 1, 2);
    SplitDataset data = SplitDataset.ofIdx(folder).map(ArrayDataset::asImages);
    assertThat(data.train().features().type()).hasToString("float32[3x1x2x2]");
    assertThat(data.test().features().doubleAt(3)).isEqualTo((float) (6 / 255.0));
    assertThat(data.classes()).isEqualTo(5);
    assertThat(data.requireClasses(5)).isSameAs(data);
    assertThatIllegalArgumentException().isThrownBy(() -> data.requireClasses(4)).withMessageContaining(
      "rows to test with: a label is out of range: row=0 label=4");
    writeMnist(3, 0, 1);
    assertThatIllegalArgumentException().isThrownBy(() -> SplitDataset.ofIdx(folder)).withMessageContaining(
      "other rows");
  }

  @Test
  void everyNthRowOfOneFileTests() {
    SplitDataset data = SplitDataset.of(counted(7), 3);
    assertThat(data.test().labels().toLongArray()).containsExactly(0, 3, 6);
    long[] rows = data.train().labels().toLongArray();
    assertThat(rows).containsExactly(1, 2, 4, 5);
    for (int row = 0; row < rows.length; row++) {
      assertThat(data.placeOf(row)).isEqualTo((int) rows[row]);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> data.requireClasses(5))
      .withMessageContaining("row=5 label=5");
    assertThatIllegalArgumentException().isThrownBy(() -> SplitDataset.of(counted(2), 1)).withMessageContaining(
      "every=1");
  }

  /** Half-pixel centres: a pixel of the larger image lies a quarter of a pixel beside one of the smaller. */
  @Test
  void imagesAreResizedLinearly() {
    var data = new ArrayDataset(TensorView.ofFloats(Shape.of(1, 4), 0, 4, 8, 12), TensorView.ofLongs(0));
    TensorView large = data.resized(2, 4).features();
    assertThat(large.type()).hasToString("float32[1x1x2x4]");
    assertThat(IntStream.range(0, 8).mapToDouble(large::doubleAt)).containsExactly(0d, 1d, 3d, 4d, 8d, 9d, 11d, 12d);
    assertThat(data.resized(2, 2).features().doubleAt(3)).isEqualTo(12);
    assertThatIllegalArgumentException().isThrownBy(() -> counted(3).asImages()).withMessageContaining("columns=2");
    assertThatIllegalArgumentException().isThrownBy(() -> data.asImages().reshaped(1, 1, 1, 2, 2).asImages())
      .withMessageContaining("no images");
  }

  @Test
  void digitsAreThere() throws IOException {
    Path file = Path.of(System.getProperty("cairn.shared", "../../../shared"), "data/digits/digits.csv.gz");
    Assumptions.assumeTrue(Files.exists(file), "no data: " + file);
    ArrayDataset digits = CsvFile.read(file).requireClasses(10);
    assertThat(digits.features().type()).hasToString("float32[1797x64]");
    assertThat(digits.where(row -> row % 5 == 0).rows()).isEqualTo(360);
    assertThat(digits.scaled(1 / 16.0).features().doubleAt(3)).isEqualTo(13 / 16.0);
  }
}
