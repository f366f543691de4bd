package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.assertSays;
import static dev.cairn.runtime.onnx.Models.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.ChangedModelFile;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model's file that is cut short after it was opened, when weights are still in it. */
class ChangedFileTest {
  private static final int ELEMENTS = 1 << 20;
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1);

  @TempDir
  private Path folder;

  /** {@code y = x + w}, of {@value #ELEMENTS} weights. */
  private Path model(boolean open) {
    byte[] ones = new byte[ELEMENTS * Float.BYTES];
    for (int i = 0; i < ones.length; i += Float.BYTES) {
      ones[i + 3] = 0x3f;
      ones[i + 2] = (byte) 0x80;
    }
    var graph = Models.graph(node("y = Add(x, w)")).addInitializer(TensorProto.newBuilder().setName("w").setDataType(1)
      .addDims(ELEMENTS).setRawData(ByteString.copyFrom(ones)));
    var x = Models.value("x", DType.FLOAT32, 1).toBuilder();
    if (open) {
      x.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder().getDimBuilder(0).setDimParam("n");
    }
    ModelProto model = Models.model(22).setGraph(graph.addInput(x)).build();
    return Models.save(model, folder);
  }

  private static void cut(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(500);
    }
  }

  @Test
  void isSaidBeforeTheFirstRun() throws IOException {
    Path file = model(false);
    Graph graph = OnnxReader.read(file, Models.operators());
    cut(file);
    assertSays(assertThrows(ChangedModelFile.class, () -> Session.of(graph, OPTIONS)), "truncated");
  }

  @Test
  void isSaidInARunThatNeedsThePlan() throws IOException {
    Path file = model(true);
    try (Session session = Session.open(file, OPTIONS); Tensor x = Tensor.of(new float[] {1}, 1)) {
      cut(file);
      assertSays(assertThrows(ChangedModelFile.class, () -> session.run(Map.of("x", x))), "open the model again");
      assertEquals(0, session.memoryStats().bytesInUse());
    }
  }

  @Test
  void isNoMatterOnceTheWeightsAreInPlace() throws IOException {
    Path file = model(false);
    try (Session session = Session.open(file, OPTIONS); Tensor x = Tensor.of(new float[] {1}, 1)) {
      cut(file);
      try (Result result = session.run(Map.of("x", x))) {
        assertEquals(Shape.of(ELEMENTS), result.get("y").shape());
        assertEquals(2f, result.get("y").toFloatArray()[ELEMENTS - 1]);
      }
    }
  }
}
