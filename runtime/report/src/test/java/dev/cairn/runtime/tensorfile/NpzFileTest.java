package dev.cairn.runtime.tensorfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NpzFileTest {
  @TempDir
  private Path folder;

  private static Map<String, TensorView> example() {
    Map<String, TensorView> arrays = new LinkedHashMap<>();
    arrays.put("x", TensorView.ofFloats(Shape.of(2, 2), 1, 2, 3, 4));
    arrays.put("a/ü:0", TensorView.ofLong(7));
    arrays.put("none", TensorView.ofFloats(Shape.of(0, 3)));
    arrays.put("zeros", new TensorView(TensorType.of(DType.UINT8, 3_000_000), MemorySegment.ofArray(
      new byte[3_000_000])));
    return arrays;
  }

  private Path write(boolean compressed, Map<String, TensorView> arrays) throws IOException {
    Path file = folder.resolve(compressed + ".npz");
    if (compressed) {
      NpzFile.writeCompressed(arrays, file);
    } else {
      NpzFile.write(arrays, file);
    }
    return file;
  }

  private static byte[] bytes(TensorView view) {
    return view.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  private Path replace(byte[] content) throws IOException {
    Path file = folder.resolve("made.npz");
    // Ext4 waits for the disk when a file is emptied and written again.
    Files.deleteIfExists(file);
    return Files.write(file, content);
  }

  /** An archive with one compressed entry. */
  private Path archive(String name, byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
    }
    return replace(bytes.toByteArray());
  }

  private static byte[] array(TensorView view) throws IOException {
    var bytes = new ByteArrayOutputStream();
    NpyFile.write(view, bytes);
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void arraysReadBackInTheirOrder(boolean compressed) throws IOException {
    Path file = write(compressed, example());
    Map<String, TensorView> read = NpzFile.read(file);
    assertThat(read.keySet()).containsExactlyElementsOf(example().keySet());
    example().forEach((name, wanted) -> {
      TensorView array = Objects.requireNonNull(read.get(name));
      assertThat(array.type()).isEqualTo(wanted.type());
      assertThat(bytes(array)).isEqualTo(bytes(wanted));
    });
    if (compressed) {
      assertThat(Files.size(file)).isLessThan(20_000);
    } else {
      assertThat(Files.size(file)).isBetween(3_000_000L, 3_002_000L);
    }
    byte[] first = Files.readAllBytes(file);
    assertThat(Files.readAllBytes(write(compressed, example()))).as("equal arrays give equal files").isEqualTo(first);
  }

  @Test
  void otherEntriesAreLeftOut() throws IOException {
    assertThat(NpzFile.read(archive("readme.txt", new byte[3]))).isEmpty();
    assertThatThrownBy(() -> NpzFile.read(folder.resolve("missing.npz"))).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aDamagedArrayIsRefusedWithItsName() throws IOException {
    byte[] whole = array(TensorView.ofFloats(Shape.of(2), 1, 2));
    Path text = archive("x.npy", "this is no array".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> NpzFile.read(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "not a NumPy array file: file=" + text + " entry=x.npy");
    Path cut = archive("x.npy", Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> NpzFile.read(cut)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "too short").hasMessageContaining("entry=x.npy");
    Path more = archive("x.npy", Arrays.copyOf(whole, whole.length + 1));
    assertThatThrownBy(() -> NpzFile.read(more)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "more bytes than the array has").hasMessageContaining("entry=x.npy");
  }

  /** The elements are damaged, which is found only when they are read. */
  @Test
  void anArrayIsRefusedBeforeItIsUnpacked() throws IOException {
    byte[] whole = Files.readAllBytes(write(true, Map.of("x", TensorView.ofFloats(Shape.of(1000), new float[1000]))));
    ByteBuffer fields = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
    int directory = fields.getInt(whole.length - 6);
    fields.putInt(directory + 16, ~fields.getInt(directory + 16));
    Path file = replace(whole);
    assertThatThrownBy(() -> NpzFile.read(file)).hasMessageContaining("checksum");
    assertThatThrownBy(() -> NpzFile.read(file, (name, type) -> {
      throw new IllegalStateException(name + type);
    })).isInstanceOf(IllegalStateException.class).hasMessage("xfloat32[1000]");
  }

  @Test
  void aChangedElementIsFoundByItsChecksum() throws IOException {
    byte[] whole = Files.readAllBytes(write(false, Map.of("x", TensorView.ofLong(0x1122334499667788L))));
    for (int i = 0; i < whole.length; i++) {
      if (whole[i] == (byte) 0x99) {
        whole[i]++;
      }
    }
    Path file = replace(whole);
    assertThatThrownBy(() -> NpzFile.read(file)).isInstanceOf(InvalidTensorFile.class).hasMessageContaining("checksum");
  }

  /** A small file that states a large array must not make Cairn allocate it. */
  @Test
  void aSizeThatTheFileCannotHoldIsRefusedBeforeItIsAllocated() throws IOException {
    byte[] huge = array(new TensorView(TensorType.of(DType.UINT8, 0), MemorySegment.NULL));
    byte[] header = new String(huge, StandardCharsets.ISO_8859_1).replace("(0,), }         ", "(4000000000,), }")
      .getBytes(
        StandardCharsets.ISO_8859_1);
    assertThat(header).hasSameSizeAs(huge).isNotEqualTo(huge);
    Path claimed = archive("x.npy", header);
    assertThatThrownBy(() -> NpzFile.read(claimed)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "too short");
    byte[] archive = Files.readAllBytes(claimed);
    ByteBuffer fields = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
    int directory = fields.getInt(archive.length - 6);
    fields.putInt(directory + 24, (int) 4_000_000_128L);
    Path stated = replace(archive);
    assertThatThrownBy(() -> NpzFile.read(stated)).isInstanceOf(InvalidTensorFile.class).hasMessageContaining(
      "impossible sizes of an array").hasMessageContaining("bytes=4000000128");
  }

  @Test
  void everyCutIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(write(true, Map.of("x", TensorView.ofFloats(Shape.of(2), 1, 2))));
    for (int length = 0; length < whole.length; length++) {
      Path cut = replace(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> NpzFile.read(cut)).as("length %d", length).isInstanceOf(InvalidTensorFile.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyMutationReadsOrIsRefused(boolean compressed) throws IOException {
    byte[] whole = Files
      .readAllBytes(write(compressed, new TreeMap<>(Map.of("x", TensorView.ofFloats(Shape.of(2, 2), 1, 2,
        3, 4), "y", TensorView.ofLong(5)))));
    var random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
      byte[] changed = whole.clone();
      for (int j = 0; j <= random.nextInt(3); j++) {
        changed[random.nextInt(whole.length)] = (byte) random.nextInt(256);
      }
      Path file = replace(changed);
      try {
        assertThat(NpzFile.read(file)).hasSizeLessThanOrEqualTo(2);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("made.npz");
        refused++;
      }
    }
    assertThat(refused).isBetween(500, 999);
  }
}
