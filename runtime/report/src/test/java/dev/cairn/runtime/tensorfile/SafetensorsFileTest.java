package dev.cairn.runtime.tensorfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsFileTest {
  private static final List<DType> TYPES = List.of(DType.FLOAT64, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16,
    DType.FLOAT8E4M3FN, DType.FLOAT8E5M2, DType.FLOAT8E8M0, DType.INT8, DType.INT16, DType.INT32, DType.INT64,
    DType.UINT8, DType.UINT16, DType.UINT32, DType.UINT64, DType.BOOL);

  @TempDir
  private Path folder;

  private static SafetensorsFile example() {
    Map<String, TensorView> tensors = new LinkedHashMap<>();
    var random = new Random(1);
    for (DType dtype : TYPES) {
      for (Shape shape : new Shape[] {Shape.SCALAR, Shape.of(3), Shape.of(0, 2), Shape.of(2, 3, 5)}) {
        var type = new TensorType(dtype, shape);
        byte[] bytes = new byte[(int) type.bytes()];
        random.nextBytes(bytes);
        for (int i = 0; dtype == DType.BOOL && i < bytes.length; i++) {
          bytes[i] &= 1;
        }
        tensors.put("a \"name\" ü/" + dtype + shape, new TensorView(type, MemorySegment.ofArray(bytes)));
      }
    }
    return new SafetensorsFile(tensors, Map.of("format", "pt"));
  }

  private static byte[] bytes(TensorView view) {
    return view.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  private static TensorView tensor(SafetensorsFile file, String name) {
    return Objects.requireNonNull(file.tensors().get(name));
  }

  /** A file with this header and data, as another program may write it. */
  private Path file(String header, int... data) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer all = ByteBuffer.allocate(8 + text.length + data.length).order(ByteOrder.LITTLE_ENDIAN).putLong(
      text.length).put(text);
    for (int value : data) {
      all.put((byte) value);
    }
    return replace("made.safetensors", all.array());
  }

  private Path replace(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    // Ext4 waits for the disk when a file is emptied and written again.
    Files.deleteIfExists(file);
    return Files.write(file, content);
  }

  @Test
  void everyTypeAndShapeReadsBack() throws IOException {
    Path file = folder.resolve("all.safetensors");
    SafetensorsFile written = example();
    written.write(file);
    SafetensorsFile read = SafetensorsFile.read(file);
    assertThat(read.metadata()).containsExactly(Map.entry("format", "pt"));
    assertThat(read.tensors()).hasSize(TYPES.size() * 4).containsOnlyKeys(written.tensors().keySet());
    read.tensors().forEach((name, tensor) -> {
      assertThat(tensor.type()).isEqualTo(tensor(written, name).type());
      assertThat(bytes(tensor)).isEqualTo(bytes(tensor(written, name)));
      assertThat(tensor.segment().address() % tensor.dtype().bytes()).isZero();
      assertThat(tensor.segment().isReadOnly()).as("mapped").isTrue();
    });
  }

  /** The layout that the format's own library writes: larger elements first, then by name; tensors begin aligned. */
  @Test
  void writesTheHeaderOfTheFormat() throws IOException {
    Path file = folder.resolve("x.safetensors");
    Map<String, TensorView> tensors = new LinkedHashMap<>();
    tensors.put("c", new TensorView(TensorType.of(DType.UINT8, 1), MemorySegment.ofArray(new byte[] {7})));
    tensors.put("b", TensorView.ofFloats(Shape.of(1, 2), 1, 2));
    tensors.put("a", new TensorView(TensorType.of(DType.BFLOAT16), MemorySegment.ofArray(new byte[] {1, 2})));
    tensors.put("aa", TensorView.ofFloats(Shape.SCALAR, 3));
    new SafetensorsFile(tensors, Map.of("k", "v")).write(file);
    byte[] all = Files.readAllBytes(file);
    int length = (int) ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assertThat((length + 8) % 64).isZero();
    assertThat(new String(all, 8, length, StandardCharsets.UTF_8).strip()).isEqualTo("""
      {"__metadata__":{"k":"v"},"aa":{"dtype":"F32","shape":[],"data_offsets":[0,4]},\
      "b":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]},\
      "a":{"dtype":"BF16","shape":[],"data_offsets":[12,14]},"c":{"dtype":"U8","shape":[1],"data_offsets":[14,15]}}""");
    assertThat(Arrays.copyOfRange(all, 8 + length, all.length)).containsExactly(0, 0, 0x40, 0x40, 0, 0, 0x80, 0x3f, 0,
      0, 0, 0x40, 1, 2, 7);
  }

  @Test
  void aFileOfAnotherWriterNeedsNoAlignmentOrOrder() throws IOException {
    SafetensorsFile read = SafetensorsFile.read(file("""
      {"x":{"data_offsets":[1,9],"dtype":"F32","shape":[2],"comment":[]},
       "b":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}}
      """, 7, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40));
    assertThat(read.tensors().keySet()).containsExactly("b", "x");
    assertThat(tensor(read, "x").doubleAt(1)).isEqualTo(2);
    assertThat(tensor(read, "x").segment().address() % 4).isZero();
    assertThat(bytes(tensor(read, "b"))).as("a boolean other than 0 is 1").containsExactly(1);
    assertThat(SafetensorsFile.read(file("{}")).tensors()).isEmpty();
  }

  @Test
  void aTypeOrNameThatTheFormatLacksIsRefusedAndLeavesTheOldFile() throws IOException {
    Path file = Files.writeString(folder.resolve("old.safetensors"), "old");
    for (DType dtype : List.of(DType.INT4, DType.FLOAT4E2M1, DType.FLOAT8E4M3FNUZ)) {
      var view = new TensorView(TensorType.of(dtype, 2), MemorySegment.ofArray(new byte[(int) dtype.bytes(2L)]));
      assertThatThrownBy(() -> new SafetensorsFile(Map.of("x", view), Map.of()).write(file)).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("name=x dtype=" + dtype);
    }
    assertThatThrownBy(() -> new SafetensorsFile(Map.of("__metadata__", TensorView.ofLong(1)), Map.of()).write(file))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("reserves");
    assertThat(file).hasContent("old");
  }

  /** JSON with apostrophes, and a part of the message. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
    "[]; not a JSON object",
    "{'a; not JSON",
    "{} 1; not JSON",
    "{'x':1}; not a text",
    "{'__metadata__':{'k':1}}; not a text",
    "{'x':{'dtype':'F32','shape':[1]}}; not a list",
    "{'x':{'dtype':'F31','shape':[1],'data_offsets':[0,4]}}; unknown element type",
    "{'x':{'dtype':'F32','shape':[-1],'data_offsets':[0,4]}}; name=x",
    "{'x':{'dtype':'F32','shape':[1.5],'data_offsets':[0,4]}}; not a whole number",
    "{'x':{'dtype':'F32','shape':['1'],'data_offsets':[0,4]}}; not a whole number",
    "{'x':{'dtype':'F32','shape':[9223372036854775808],'data_offsets':[0,4]}}; not a whole number",
    "{'x':{'dtype':'F32','shape':[9223372036854775807,4],'data_offsets':[0,4]}}; name=x",
    "{'x':{'dtype':'F32','shape':[4611686018427387904],'data_offsets':[0,4]}}; too many bytes",
    "{'x':{'dtype':'F32','shape':[1],'data_offsets':[4,0]}}; differ",
    "{'x':{'dtype':'F32','shape':[1],'data_offsets':[0,8]}}; differ",
    "{'x':{'dtype':'F32','shape':[1],'data_offsets':[-4,0]}}; differ",
    "{'x':{'dtype':'F32','shape':[1],'data_offsets':[0,4,8]}}; differ",
    "{'x':{'dtype':'U8','shape':[3],'data_offsets':[3,-9223372036854775808]}}; name=x",
    "{"
      + "'x':{'dtype':'U8','shape':[9223372036854775807],'data_offsets':[0,9223372036854775807]}}; cut short",
    "{'x':{'dtype':'U8','shape':[2],'data_offsets':[2,4]}}; gap",
    "{'x':{'dtype':'U8','shape':[2],'data_offsets':[0,2]}}; more bytes",
    "{'x':{'dtype':'U8','shape':[5],'data_offsets':[0,5]}}; cut short",
    "{'x':{'dtype':'U8','shape':[4],'data_offsets':[0,4]},"
      + "'x':{'dtype':'U8','shape':[4],'data_offsets':[0,4]}}; Duplicate",
    "{'x':{'dtype':'U8','shape':[3],'data_offsets':[0,3]},"
      + "'y':{'dtype':'U8','shape':[3],'data_offsets':[1,4]}}; overlap",
    "{'x':{'dtype':'U8','shape':[2],'data_offsets':[0,2]},"
      + "'y':{'dtype':'U8','shape':[1],'data_offsets':[3,4]}}; gap"})
  void whatAHeaderCannotMeanIsRefused(String header, String why) throws IOException {
    Path file = file(header.replace('\'', '"'), 1, 2, 3, 4);
    assertThatThrownBy(() -> SafetensorsFile.read(file)).isInstanceOf(InvalidTensorFile.class).hasMessageContaining(why)
      .hasMessageContaining("made.safetensors offset=").hasMessageContaining("export it again");
  }

  @Test
  void aHeaderLongerThanTheFileOrTheLimitIsRefusedBeforeItIsRead() throws IOException {
    for (long length : new long[] {-1, Long.MIN_VALUE, SafetensorsHeader.MOST_BYTES + 1, Long.MAX_VALUE, 0, 1, 1000}) {
      Path file = replace("long.safetensors", ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(length)
        .array());
      assertThatThrownBy(() -> SafetensorsFile.read(file)).isInstanceOf(InvalidTensorFile.class).hasMessageContaining(
        "headerBytes=" + Long.toUnsignedString(length) + " fileBytes=16");
    }
  }

  @Test
  void everyCutIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(small());
    for (int length = 0; length < whole.length; length++) {
      Path cut = replace("cut.safetensors", Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> SafetensorsFile.read(cut)).as("length %d", length).isInstanceOf(InvalidTensorFile.class);
    }
  }

  @Test
  void everyMutationReadsOrIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(small());
    var random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 1500; i++) {
      byte[] changed = whole.clone();
      for (int j = 0; j <= random.nextInt(3); j++) {
        changed[random.nextInt(whole.length - 16)] = (byte) random.nextInt(256);
      }
      Path file = replace("changed.safetensors", changed);
      try {
        SafetensorsFile.read(file).tensors().values().forEach(it -> assertThat(bytes(it)).hasSize(16));
      } catch (InvalidTensorFile e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(500, 1499);
  }

  private Path small() throws IOException {
    Path file = folder.resolve("small.safetensors");
    new SafetensorsFile(Map.of("x", TensorView.ofFloats(Shape.of(2, 2), 1, 2, 3, 4)), Map.of("k", "v")).write(file);
    return file;
  }
}
