package dev.cairn.runtime.tensorfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyFileTest {
  private static final String GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";

  @TempDir
  private Path folder;

  private static TensorView random(TensorType type, long seed) {
    byte[] bytes = new byte[Math.toIntExact(type.bytes())];
    new SplittableRandom(seed).nextBytes(bytes);
    for (int i = 0; type.dtype() == DType.BOOL && i < bytes.length; i++) {
      bytes[i] &= 1;
    }
    return new TensorView(type, MemorySegment.ofArray(bytes));
  }

  private static byte[] bytes(TensorView view) {
    return view.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  /** A file of this version, header and data. */
  private Path file(int version, String header, byte... data) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    var bytes = new ByteArrayOutputStream();
    bytes.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
    ByteBuffer length = ByteBuffer.allocate(version == 1 ? 2 : 4).order(ByteOrder.LITTLE_ENDIAN);
    bytes.write((version == 1 ? length.putShort((short) text.length) : length.putInt(text.length)).array());
    bytes.write(text);
    bytes.write(data);
    return Files.write(folder.resolve("made.npy"), bytes.toByteArray());
  }

  @Test
  void anArrayThatCannotBeReadLeavesTheOldFile() throws IOException {
    Path file = Files.writeString(folder.resolve("y.npy"), "old");
    Arena arena = Arena.ofConfined();
    var view = new TensorView(TensorType.of(DType.FLOAT32, 1 << 20), arena.allocate(4 << 20));
    arena.close();
    assertThatThrownBy(() -> NpyFile.write(view, file)).isInstanceOf(IllegalStateException.class);
    assertThat(file).hasContent("old");
    assertThat(folder.toFile().list()).containsExactly("y.npy");
  }

  /** NumPy has none of these: integers keep their values, floats their bits. */
  @Test
  void narrowTypesAreWrittenAsBytes() throws IOException {
    Path file = folder.resolve("narrow.npy");
    NpyFile.write(new TensorView(TensorType.of(DType.INT4, 3), MemorySegment.ofArray(new byte[] {(byte) 0xf7, 8})),
      file);
    assertThat(NpyFile.read(file).type()).isEqualTo(TensorType.of(DType.INT8, 3));
    assertThat(NpyFile.read(file).toLongArray()).containsExactly(7, -1, -8);
    NpyFile.write(new TensorView(TensorType.of(DType.FLOAT4E2M1, 3), MemorySegment.ofArray(new byte[] {(byte) 0xf7,
      8})), file);
    assertThat(NpyFile.read(file).type()).isEqualTo(TensorType.of(DType.UINT8, 3));
    assertThat(NpyFile.read(file).toLongArray()).containsExactly(7, 15, 8);
    NpyFile.write(new TensorView(TensorType.of(DType.FLOAT8E5M2, 1, 2), MemorySegment.ofArray(new byte[] {-1, 8})),
      file);
    assertThat(NpyFile.read(file).type()).isEqualTo(TensorType.of(DType.UINT8, 1, 2));
    assertThat(NpyFile.read(file).toLongArray()).containsExactly(255, 8);
  }

  static Set<DType> computed() {
    return DType.COMPUTED;
  }

  @ParameterizedTest
  @MethodSource("computed")
  void everyElementTypeComesBackAsItWent(DType dtype) throws IOException {
    long[][] shapes = {{}, {0}, {1}, {7}, {2, 0, 3}, {3, 5}, {1, 2, 3, 4, 5}, {700, 1001}};
    for (int i = 0; i < shapes.length; i++) {
      TensorView written = random(TensorType.of(dtype, shapes[i]), i);
      Path file = folder.resolve(i + ".npy");
      NpyFile.write(written, file);
      TensorView read = NpyFile.read(file);
      // NumPy has no bfloat16.
      DType expected = dtype == DType.BFLOAT16 ? DType.UINT16 : dtype;
      assertThat(read.type()).isEqualTo(TensorType.of(expected, shapes[i]));
      assertThat(bytes(read)).isEqualTo(bytes(written));
      assertThat(read.segment().isNative()).isTrue();
      assertThat(read.segment().address() % 64).isZero();
      assertThat(Files.size(file) % 64).as("data begins at a multiple of 64").isEqualTo(written.type().bytes() % 64);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {"float32; '<f4'; (2,)", "bool; '|b1'; (2,)", "uint8; '|u1'; (2,)",
    "int64; '<i8'; (2,)",
    "float16; '<f2'; (2,)"})
  void writesTheHeaderThatNumpyWrites(String dtype, String code, String shape) throws IOException {
    Path file = folder.resolve("x.npy");
    NpyFile.write(random(TensorType.of(DType.valueOf(dtype.toUpperCase(Locale.ROOT)), 2), 1), file);
    byte[] all = Files.readAllBytes(file);
    assertThat(all).startsWith(0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0x76, 0);
    String header = new String(all, 10, 118, StandardCharsets.US_ASCII);
    assertThat(header.strip()).isEqualTo("{'descr': '" + code + "', 'fortran_order': False, 'shape': " + shape + ", }");
    assertThat(header).endsWith("\n");
  }

  @Test
  void anOlderLongerFileOfTheNameIsReplaced() throws IOException {
    Path file = folder.resolve("x.npy");
    NpyFile.write(random(TensorType.of(DType.FLOAT64, 1000), 1), file);
    NpyFile.write(random(TensorType.of(DType.INT8, 3), 1), file);
    assertThat(Files.size(file)).isEqualTo(131);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void readsEveryVersionWithAnyHeaderLengthAndOrderOfKeys(int version) throws IOException {
    byte[] data = {0, 0, (byte) 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40};
    for (String header : new String[] {GOOD, GOOD + "  \n", "{'shape':(1,3),'fortran_order':False,'descr':'<f4'}",
      "{'descr': '=f4', 'fortran_order': False, 'shape': (1, 3)}"}) {
      TensorView view = NpyFile.read(file(version, header, data));
      assertThat(view.type()).isEqualTo(TensorType.of(DType.FLOAT32, 1, 3));
      assertThat(view.doubleAt(0) + view.doubleAt(1) * 10 + view.doubleAt(2) * 100).isEqualTo(321);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {"(3,); 1 2 3; 1 2 3", "(2, 3); 1 2 3 4 5 6; 1 3 5 2 4 6", "(3, 1); 1 2 3; 1 2 3",
    "(2, 3, 2); 0 1 2 3 4 5 6 7 8 9 10 11; 0 6 2 8 4 10 1 7 3 9 5 11", "(2, 0); ''; ''", "(); 7; 7"})
  void columnsMayComeFirst(String shape, String stored, String wanted) throws IOException {
    String header = "{'descr': '|u1', 'fortran_order': True, 'shape': %s, }".formatted(shape);
    TensorView view = NpyFile.read(file(1, header, numbers(stored)));
    assertThat(bytes(view)).containsExactly(numbers(wanted));
    assertThat(view.segment().isNative()).isTrue();
  }

  private static byte[] numbers(String text) {
    List<String> words = text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    byte[] bytes = new byte[words.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Byte.parseByte(words.get(i));
    }
    return bytes;
  }

  /** Reads each element type that has several bytes, in either order of elements. */
  @ParameterizedTest
  @ValueSource(strings = {"f2", "f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8", "i1", "b1"})
  void theMostSignificantByteMayComeFirst(String code) throws IOException {
    int width = code.charAt(1) - '0';
    byte[] little = new byte[6 * width];
    byte[] big = new byte[little.length];
    for (int i = 0; i < little.length; i++) {
      little[i] = (byte) (code.equals("b1") ? i % 2 : 31 * i + 7);
      big[i / width * width + width - 1 - i % width] = little[i];
    }
    for (String order : new String[] {"False", "True"}) {
      String header = "{'descr': '%s%s', 'fortran_order': " + order + ", 'shape': (3, 2), }";
      TensorView wanted = NpyFile.read(file(1, header.formatted("<", code), little));
      TensorView given = NpyFile.read(file(1, header.formatted(">", code), big));
      assertThat(given.type()).isEqualTo(wanted.type());
      assertThat(bytes(given)).isEqualTo(bytes(wanted));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {"<f4; <c8; unknown element type",
    "<f4; <f16; unknown element",
    "<f4; <U5; cannot be read", "'descr'; 'dtype'; cannot be read", "False; Perhaps; cannot be read",
    "(1, 3); 3; cannot",
    "(1, 3); (1, -3); cannot", "(1, 3); (1, 99999999999999999999); impossible shape",
    "(1, 3); (4294967296, 4294967296); impossible shape", "(1, 3); (1, 4); too short", "(1, 3); (1 3); impossible"})
  void damagedHeadersAreRefusedWithTheFile(String part, String instead, String why) throws IOException {
    Path file = file(1, GOOD.replace(part.equals("'descr'") ? "descr" : part, instead), new byte[12]);
    assertThatThrownBy(() -> NpyFile.read(file)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(why)
      .hasMessageContaining("made.npy");
  }

  @Test
  void bytesAfterTheArrayAreRefused() throws IOException {
    Path file = folder.resolve("more.npy");
    NpyFile.write(TensorView.ofFloats(Shape.of(2), 1, 2), file);
    Files.write(file, new byte[] {0}, StandardOpenOption.APPEND);
    assertThatThrownBy(() -> NpyFile.read(file)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "more bytes than the array has: file=" + file + " type=float32[2] more=1");
  }

  @Test
  void aBooleanOtherThanZeroIsOne() throws IOException {
    String booleans = "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }";
    TensorView view = NpyFile.read(file(1, booleans, (byte) 0, (byte) 1, (byte) 2, (byte) 255, (byte) 128));
    assertThat(bytes(view)).containsExactly(0, 1, 1, 1, 1);
  }

  /** After its size was read, the file is cut at each place in turn. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aFileThatIsCutShortWhileItIsReadIsRefused(int version) throws IOException {
    Path file = file(version, GOOD, new byte[12]);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(whole), 0);
        long size = channel.size();
        channel.truncate(length);
        assertThatThrownBy(() -> NpyFile.read(channel, size, "cut.npy", _ -> {})).as("length %d", length).isInstanceOf(
          IllegalArgumentException.class).hasMessage("%s: file=cut.npy",
            length < 10
              ? "not a NumPy array file"
              : "array file is truncated");
      }
    }
  }

  /** Another process writes the file anew again and again: each read gives an array, or says what is wrong. */
  @Test
  @Tag("soak")
  void aFileThatChangesAllTheTimeIsReadOrRefused() throws Exception {
    Path file = folder.resolve("changing.npy");
    NpyFile.write(random(TensorType.of(DType.UINT8, 8 << 20), 1), file);
    long whole = Files.size(file);
    var stop = new AtomicBoolean();
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE);
      var writer = Executors.newSingleThreadExecutor()) {
      Future<?> writing = writer.submit(() -> {
        while (!stop.get()) {
          channel.truncate(200);
          channel.write(ByteBuffer.allocate(1), whole - 1);
        }
        return null;
      });
      for (int i = 0; i < 200; i++) {
        try {
          assertThat(NpyFile.read(file).type()).isEqualTo(TensorType.of(DType.UINT8, 8 << 20));
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageContaining("changing.npy");
        }
      }
      stop.set(true);
      writing.get();
    }
  }

  @Test
  void aFileCutAnywhereIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(file(1, GOOD, new byte[12]));
    for (int length = 0; length < whole.length; length++) {
      Path cut = Files.write(folder.resolve("cut.npy"), Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> NpyFile.read(cut)).as("length %d", length).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cut.npy");
    }
  }

  @Test
  void anyByteOfTheHeaderChangedIsReadOrRefusedButNothingElse() throws IOException {
    byte[] whole = Files.readAllBytes(file(1, GOOD, new byte[12]));
    var random = new SplittableRandom(5);
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] changed = whole.clone();
      changed[random.nextInt(whole.length - 12)] = (byte) random.nextInt(256);
      // Ext4 waits for the disk when a file is emptied and written again.
      Files.deleteIfExists(folder.resolve("changed.npy"));
      Path file = Files.write(folder.resolve("changed.npy"), changed);
      try {
        assertThat(NpyFile.read(file).segment().byteSize()).isLessThanOrEqualTo(12);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("changed.npy");
        refused++;
      }
    }
    assertThat(refused).isBetween(1000, 2999);
  }

  @Test
  void anUnknownVersionIsRefused() {
    assertThatThrownBy(() -> NpyFile.read(file(4, GOOD, new byte[12]))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("version=4");
  }
}
