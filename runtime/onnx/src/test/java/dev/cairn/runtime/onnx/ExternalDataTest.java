package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.assertSays;
import static dev.cairn.runtime.onnx.Models.node;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weights in files beside the model. */
class ExternalDataTest {
  private static final float[] VALUES = {0, 1, 2, 3, 4, 5, 6, 7};

  @TempDir
  private Path outside;
  private Path folder = Path.of("");

  @BeforeEach
  void writeData() throws IOException {
    folder = outside.resolve("model");
    Files.createDirectories(folder.resolve("deep"));
    ByteBuffer bytes = ByteBuffer.allocate(VALUES.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(VALUES);
    for (Path place : new Path[] {folder.resolve("w.bin"), folder.resolve("deep/w.bin"), outside.resolve("w.bin")}) {
      Files.write(place, bytes.array());
    }
  }

  @Test
  void bytesAreThoseAtTheOffset() {
    TensorView view = read("location", "w.bin", "offset", "8", "length", "12");
    assertArrayEquals(new float[] {2, 3, 4}, Models.floats(view));
    assertTrue(view.segment().isMapped(), "mapped, not read");
  }

  @Test
  void offsetAndLengthMayBeLeftOut() {
    assertArrayEquals(new float[] {0, 1, 2}, Models.floats(read("location", "w.bin")));
    assertArrayEquals(new float[] {5, 6, 7}, Models.floats(read("location", "w.bin", "offset", "20")));
    assertArrayEquals(new float[] {0, 1, 2}, Models.floats(read("location", "w.bin", "checksum", "ignored")));
  }

  @Test
  void filesMayLieDeeperInTheFolder() {
    assertArrayEquals(new float[] {0, 1, 2}, Models.floats(read("location", "deep/w.bin")));
    assertArrayEquals(new float[] {0, 1, 2}, Models.floats(read("location", "./deep/../w.bin")));
  }

  /** Opening a pipe without a writer would wait for ever. */
  @Test
  void aPipeIsNoFile() throws IOException, InterruptedException {
    Process made = new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start();
    assumeTrue(made.waitFor() == 0, "skipped: no mkfifo");
    assertInvalid("a pipe or device", "location", "pipe");
  }

  @Test
  void pathsOutOfTheFolderAreErrors() {
    String part = "must be in the model's folder: tensor=w";
    assertInvalid(part, "location", "../w.bin");
    assertInvalid(part, "location", "deep/../../w.bin");
    assertInvalid(part, "location", outside.resolve("w.bin").toAbsolutePath().toString());
    assertInvalid(part, "location", "..");
    assertInvalid(part, "location", "");
    assertInvalid(part, "location", ".");
    assertInvalid(part, "offset", "0");
    assertInvalid("invalid path: tensor=w", "location", "a\0b");
  }

  /** A link that came with the model must not make other files of the machine its weights. */
  @Test
  void linksOutOfTheFolderAreErrors() throws IOException {
    Files.createSymbolicLink(folder.resolve("out.bin"), outside.resolve("w.bin"));
    Files.createSymbolicLink(folder.resolve("through"), outside);
    assertInvalid("a link leads out of the model's folder", "location", "out.bin");
    assertInvalid("a link leads out of the model's folder", "location", "through/w.bin");
    Files.createSymbolicLink(folder.resolve("in.bin"), Path.of("deep/w.bin"));
    assertArrayEquals(new float[] {0, 1, 2}, Models.floats(read("location", "in.bin")));
  }

  /** The files lie as a cache of downloads has them: model and data are links to files that lie together elsewhere. */
  @Test
  void aModelThatIsALinkHasItsDataBesideItsTarget() throws IOException {
    Path model = Models.save(model("location", "data.bin"), folder);
    Path stored = Files.move(model, outside.resolve("stored"));
    Files.createSymbolicLink(model, stored);
    Files.createSymbolicLink(folder.resolve("data.bin"), outside.resolve("w.bin"));
    assertEquals(1,
      ModelFiles.read(model).nodes().stream().filter(it -> it.kind() instanceof NodeKind.Constant).count());
  }

  @Test
  void missingAndShortFilesAreErrors() throws IOException {
    assertInvalid("tensor=w location=none.bin reason=no such model file", "location", "none.bin");
    assertInvalid("the path is a folder, not a file", "location", "deep");
    assertInvalid("too short: tensor=w offset=24 length=12 fileBytes=32", "location", "w.bin", "offset", "24");
    assertInvalid("too short", "location", "w.bin", "offset", "9223372036854775807");
    Files.write(folder.resolve("empty.bin"), new byte[0]);
    assertInvalid("too short", "location", "empty.bin");
  }

  @Test
  void wrongNumbersAreErrors() {
    assertInvalid("wantedBytes=12 length=16", "location", "w.bin", "length", "16");
    assertInvalid("not a number of bytes: tensor=w offset=-4", "location", "w.bin", "offset", "-4");
    assertInvalid("offset=four", "location", "w.bin", "offset", "four");
    assertInvalid("length=-12", "location", "w.bin", "length", "-12");
  }

  @Test
  void summaryCountsBytesOutsideWithoutTheFile() {
    var weights = OnnxReader.summary(Models.save(model("location", "none.bin"), folder)).weights();
    assertTrue(weights.bytes() == 12 && weights.externalBytes() == 12 && weights.elements() == 3, weights.toString());
  }

  /** Weights of a file beside the model, more than the memory may hold: each run reads them from there. */
  @Test
  void largerWeightsThanTheLimitAreStreamed() throws IOException {
    int width = 160;
    int layers = 6;
    ByteBuffer bytes = ByteBuffer.allocate(3 + layers * width * width * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < layers * width * width; i++) {
      bytes.putFloat(3 + i * Float.BYTES, (i * 7 + 1) % 13 / 64f - 0.09f);
    }
    Files.write(folder.resolve("large.bin"), bytes.array());
    NodeProto[] products = new NodeProto[layers];
    for (int i = 0; i < layers; i++) {
      products[i] = node("%s = MatMul(%s, w%d)".formatted(i + 1 == layers ? "y" : "p" + i, i == 0
        ? "x"
        : "p" + (i - 1), i));
    }
    var model = Models.model(13, new long[] {2, width}, products).toBuilder();
    for (int i = 0; i < layers; i++) {
      model.getGraphBuilder().addInitializer(external("w" + i, new long[] {width, width}, "location", "large.bin",
        "offset", Integer.toString(3 + i * width * width * Float.BYTES)));
    }
    Path file = Models.save(model.build(), folder);
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1);
    float[] values = new float[2 * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 9 / 8f;
    }
    long limit = (long) layers / 2 * width * width * Float.BYTES;
    try (Tensor x = Tensor.of(values, 2, width);
      Session whole = Session.open(file, options.withMemoryLimitBytes(1 << 30));
      Session limited = Session.open(file, options.withMemoryLimitBytes(limit))) {
      assertTrue(limited.compiled().orElseThrow().streamed().orElseThrow().fromFile());
      for (int run = 0; run < 2; run++) {
        try (Result expected = whole.run(Map.of("x", x)); Result result = limited.run(Map.of("x", x))) {
          assertArrayEquals(expected.get("y").toFloatArray(), result.get("y").toFloatArray());
        }
      }
      assertTrue(limited.memoryStats().peakBytesInUse() <= limit);
    }
  }

  private void assertInvalid(String part, String... facts) {
    assertSays(assertThrows(InvalidModel.class, () -> read(facts)), part);
  }

  private TensorView read(String... facts) {
    Graph graph = Models.read(model(facts), folder);
    for (var node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Constant(TensorView value)) {
        return value;
      }
    }
    throw new AssertionError("no constant");
  }

  private static ModelProto model(String... facts) {
    var model = Models.model(13, new long[] {3}, node("y = Add(x, w)")).toBuilder();
    model.getGraphBuilder().addInitializer(external("w", new long[] {3}, facts));
    return model.build();
  }

  private static TensorProto external(String name, long[] extents, String... facts) {
    var weight = TensorProto.newBuilder().setName(name).setDataType(1);
    for (long extent : extents) {
      weight.addDims(extent);
    }
    weight.setDataLocation(TensorProto.DataLocation.EXTERNAL);
    for (int i = 0; i < facts.length; i += 2) {
      weight.addExternalData(StringStringEntryProto.newBuilder().setKey(facts[i]).setValue(facts[i + 1]));
    }
    return weight.build();
  }
}
