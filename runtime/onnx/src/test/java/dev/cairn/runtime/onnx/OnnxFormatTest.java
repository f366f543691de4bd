package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.floats;
import static dev.cairn.runtime.onnx.Models.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelFormat;
import dev.cairn.runtime.session.ModelSource;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The format as a session finds it, and what a file says of itself. */
class OnnxFormatTest {
  @TempDir
  private Path folder;

  @Test
  void isFoundOnTheClassPath() {
    ModelFormat format = ServiceLoader.load(ModelFormat.class).findFirst().orElseThrow();
    assertEquals("ONNX", format.name());
    assertTrue(recognises(format, "a/model.onnx") && recognises(format, "MODEL.ONNX"));
    assertFalse(recognises(format, "model.onnx.data") || recognises(format, "/"));
    assertTrue(format.recognises(ModelSource.of(new byte[] {8})), "bytes have no name");
    Path file = Models.save(Models.model(13, new long[] {2}, node("y = Relu(x)")), folder);
    assertEquals("x = input float32[2]\nrelu_y = Relu(x)\nreturn y=relu_y\n",
      format.read(ModelSource.of(file), Models.operators()).toString());
  }

  private static boolean recognises(ModelFormat format, String file) {
    return format.recognises(ModelSource.of(Path.of(file)));
  }

  @Test
  void summaryOfAModelThatCannotRun() {
    var model = Models.model(13, new long[] {2, 3}, node("a = Unheard(x)"), node("b = Relu(a)"), node("y = Relu(b)"),
      node("c = Constant()", Models.tensor("value", Models.longs("", 1, 2, 3)))).toBuilder();
    model.setIrVersion(99).setProducerName("maker").setProducerVersion("1.2").addOpsetImport(Models.opset("local", 4));
    model.getGraphBuilder().addInitializer(floats("w", 1, 2)).addInput(Models.value("w", DType.FLOAT32, 2))
      .addInitializer(TensorProto.newBuilder().setName("s").setDataType(8).addDims(5));

    var summary = OnnxReader.summary(Models.save(model.build(), folder));

    assertEquals("test", summary.name());
    assertEquals("maker 1.2", summary.origin().producer());
    assertEquals(99, summary.origin().irVersion());
    assertEquals(Map.of("", 13L, "local", 4L), summary.origin().opsets());
    assertEquals("[Value[name=x, type=float32[2x3]]]", summary.inputs().toString());
    assertEquals("[Value[name=y, type=float32[?]]]", summary.outputs().toString());
    assertEquals(Map.of("Constant", 1, "Relu", 2, "Unheard", 1), summary.operators());
    assertEquals("Weights[tensors=3, elements=10, bytes=32, externalBytes=0]", summary.weights().toString());
  }

  @Test
  void summaryOfImpossibleWeights() {
    var model = Models.model(13, new long[] {2}, node("y = Relu(x)")).toBuilder();
    model.getGraphBuilder().addInitializer(TensorProto.newBuilder().setName("w").setDataType(1).addDims(1L << 62));
    assertThrows(InvalidModel.class, () -> OnnxReader.summary(Models.save(model.build(), folder)));
  }
}
