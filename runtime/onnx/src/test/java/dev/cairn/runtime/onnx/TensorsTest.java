package dev.cairn.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.InvalidModel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors in files: every element type, raw and in its typed field, and what is wrong with damaged ones. */
class TensorsTest {
  @TempDir
  private Path folder;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void rawBytesComeBackAsTheyWere(DType dtype) throws IOException {
    for (Shape shape : new Shape[] {Shape.SCALAR, Shape.of(0), Shape.of(7), Shape.of(2, 3, 5), Shape.of(3, 0, 2)}) {
      var type = new TensorType(dtype, shape);
      byte[] bytes = new byte[(int) type.bytes()];
      new Random(3).nextBytes(bytes);
      for (int i = 0; dtype == DType.BOOL && i < bytes.length; i++) {
        bytes[i] &= 1;
      }
      Path file = folder.resolve("t.pb");
      OnnxTensors.write("weights", new TensorView(type, MemorySegment.ofArray(bytes)), file);

      TensorView again = OnnxTensors.read(file);

      assertEquals(type, again.type());
      assertEquals(-1, again.segment().mismatch(MemorySegment.ofArray(bytes)));
    }
  }

  /** Several elements share a number, as they share a byte. */
  @Test
  void typedFieldsOfNarrowTypes() throws IOException {
    var float8 = TensorProto.newBuilder().setDataType(17).addDims(3).addInt32Data(0x7e).addInt32Data(0xfe)
      .addInt32Data(0x38);
    assertEquals(448, read(float8).doubleAt(0));
    assertEquals(-448, read(float8).doubleAt(1));
    assertEquals(1, read(float8).doubleAt(2));
    var int4 = TensorProto.newBuilder().setName("w").setDataType(22).addDims(3).addInt32Data(0xf7).addInt32Data(0x08);
    assertArrayEquals(new long[] {7, -1, -8}, read(int4).toLongArray());
    assertArrayEquals(new long[] {3, 2, 1, 0, 2}, read(TensorProto.newBuilder().setDataType(25).addDims(5)
      .addInt32Data(0b00_01_10_11).addInt32Data(2)).toLongArray());
    assertInvalid(int4.clone().addInt32Data(0), "wantedElements=2 elements=3");
    assertInvalid(TensorProto.newBuilder().setName("w").setDataType(22).addDims(3).setRawData(ByteString.copyFrom(
      new byte[3])), "wantedBytes=2 bytes=3");
  }

  static Stream<DType> computed() {
    return DType.COMPUTED.stream();
  }

  @ParameterizedTest
  @MethodSource("computed")
  void typedFieldsAreUnpacked(DType dtype) throws IOException {
    var tensor = TensorProto.newBuilder().setDataType(ElementTypes.number(dtype)).addDims(2);
    double[] wanted = {1, dtype.isUnsigned() || dtype == DType.BOOL ? 0 : -2};
    for (double value : wanted) {
      switch (dtype) {
        case FLOAT32 -> tensor.addFloatData((float) value);
        case FLOAT64 -> tensor.addDoubleData(value);
        case INT64 -> tensor.addInt64Data((long) value);
        case UINT32, UINT64 -> tensor.addUint64Data((long) value);
        case FLOAT16 -> tensor.addInt32Data(Float.floatToFloat16((float) value) & 0xffff);
        case BFLOAT16 -> tensor.addInt32Data(Float.floatToIntBits((float) value) >>> 16);
        default -> tensor.addInt32Data((int) value);
      }
    }
    TensorView view = read(tensor);
    assertEquals(TensorType.of(dtype, 2), view.type());
    for (int i = 0; i < wanted.length; i++) {
      assertEquals(wanted[i], view.doubleAt(i));
    }
  }

  @Test
  void largestValuesOfUnsignedTypes() throws IOException {
    assertEquals(255, read(TensorProto.newBuilder().setDataType(2).addInt32Data(255)).longAt(0));
    assertEquals(65_535, read(TensorProto.newBuilder().setDataType(4).addInt32Data(65_535)).longAt(0));
    assertEquals(0xffff_ffffL, read(TensorProto.newBuilder().setDataType(12).addUint64Data(0xffff_ffffL)).longAt(0));
    assertEquals(-1L, read(TensorProto.newBuilder().setDataType(13).addUint64Data(-1L)).longAt(0));
  }

  @Test
  void rawBytesAreNotCopied() throws IOException {
    float[] values = new float[1 << 16];
    Path file = folder.resolve("t.pb");
    OnnxTensors.write("weights", TensorView.ofFloats(Shape.of(values.length), values), file);
    assertTrue(OnnxTensors.read(file).segment().isNative(), "a view of the mapped file");
    assertTrue(OnnxTensors.read(file).segment().isReadOnly());
  }

  @Test
  void bytesAndTypeMustAgree() {
    var raw = TensorProto.newBuilder().setName("w").setDataType(1).addDims(3);
    assertInvalid(raw.clone().setRawData(ByteString.copyFrom(new byte[11])), "wantedBytes=12 bytes=11");
    assertInvalid(raw.clone().setRawData(ByteString.copyFrom(new byte[13])), "wantedBytes=12 bytes=13");
    assertInvalid(raw.clone(), "wantedElements=3 elements=0");
    assertInvalid(raw.clone().addFloatData(1).addFloatData(2), "elements=2");
    assertInvalid(raw.clone().addInt32Data(1).addInt32Data(2).addInt32Data(3), "elements=0");
    assertInvalid(TensorProto.newBuilder().setName("w").setDataType(0), "no element type: tensor=w");
  }

  @Test
  void impossibleShapesAreErrors() {
    var tensor = TensorProto.newBuilder().setName("w").setDataType(1);
    assertInvalid(tensor.clone().addDims(-1), "extents=[-1]");
    assertInvalid(tensor.clone().addDims(Long.MAX_VALUE).addDims(3), "has an invalid shape");
    assertInvalid(tensor.clone().addDims(Long.MAX_VALUE), "has an invalid shape");
    assertInvalid(tensor.clone().addDims(1L << 40), "elements=0");
  }

  @Test
  void booleansAreZeroOrOne() {
    var tensor = TensorProto.newBuilder().setName("w").setDataType(9).addDims(2);
    assertInvalid(tensor.clone().setRawData(ByteString.copyFrom(new byte[] {1, 2})), "element=1 value=2");
    assertInvalid(tensor.clone().addInt32Data(1).addInt32Data(-1), "element=1 value=-1");
  }

  @ParameterizedTest
  @ValueSource(ints = {14, 15, 27, -1})
  void elementTypesThatAreMissing(int number) {
    var tensor = TensorProto.newBuilder().setName("w").setDataType(number).addDims(1);
    var missing = assertThrows(UnsupportedOperators.class, () -> read(tensor));
    Models.assertSays(missing, ElementTypes.name(number));
  }

  @Test
  void stringsGoBothWays() throws IOException {
    var tensor = TensorProto.newBuilder().setName("w").setDataType(8).addDims(2).addStringData(ByteString.copyFromUtf8(
      "ü")).addStringData(ByteString.EMPTY);
    TensorView read = read(tensor);
    assertArrayEquals(new String[] {"ü", ""}, StringElements.toArray(read));
    Path file = folder.resolve("strings.pb");
    OnnxTensors.write("w", read, file);
    assertArrayEquals(new String[] {"ü", ""}, StringElements.toArray(OnnxTensors.read(file)));
    var fewer = assertThrows(InvalidModel.class, () -> read(tensor.clone().addDims(2)));
    Models.assertSays(fewer, "wantedElements=4 elements=2");
    var damaged = assertThrows(InvalidModel.class, () -> read(tensor.clone().setStringData(0, ByteString.copyFrom(
      new byte[] {-1}))));
    Models.assertSays(damaged, "a string is not UTF-8: tensor=w");
  }

  @Test
  void numbersOfElementTypesGoBothWays() {
    for (DType dtype : DType.values()) {
      assertEquals(dtype, ElementTypes.find(ElementTypes.number(dtype)).orElseThrow());
    }
    assertEquals(24, LongStream.range(-5, 100).filter(n -> ElementTypes.find(n).isPresent()).count());
  }

  /** No such memory is asked for: the check comes before the bytes are read. */
  @Test
  void tensorsBeyondAMessageAreRefusedWithTheirSize() {
    var large = new TensorView(TensorType.of(DType.INT8, 3L << 30), MemorySegment.NULL.reinterpret(3L << 30));
    Path file = folder.resolve("large.pb");
    var refused = assertThrows(IllegalArgumentException.class, () -> OnnxTensors.write("wide", large, file));
    assertTrue(
      String.valueOf(refused.getMessage()).contains("tensor=wide")
        && String.valueOf(refused.getMessage()).contains("bytes=3221225472"),
      refused.getMessage());
    assertFalse(Files.exists(file));
  }

  @Test
  void damagedFiles() throws IOException {
    assertThrows(InvalidModel.class, () -> OnnxTensors.read(folder.resolve("missing.pb")));
    assertThrows(InvalidModel.class, () -> OnnxTensors.read(folder));
    assertThrows(InvalidModel.class, () -> OnnxTensors.read(Files.write(folder.resolve("e.pb"), new byte[0])));
  }

  private void assertInvalid(TensorProto.Builder tensor, String part) {
    var error = assertThrows(InvalidModel.class, () -> read(tensor));
    Models.assertSays(error, part);
  }

  private TensorView read(TensorProto.Builder tensor) throws IOException {
    return OnnxTensors.read(Files.write(folder.resolve("tensor.pb"), tensor.build().toByteArray()));
  }
}
