package dev.cairn.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model with weights beside it is replaced: at any moment the model that is there reads its own weights. */
class ReplacedModelTest {
  private static final int COUNT = 1000;

  @TempDir
  private Path folder = Path.of("");

  /** y = x + w + small, with a w that goes beside the model and a constant that stays in it. */
  private static Graph graph(float value, TensorView small) {
    float[] weights = new float[COUNT];
    Arrays.fill(weights, value);
    var builder = new GraphBuilder("model");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, COUNT));
    NodeEntry sum = builder.apply("Add", x, builder.constant("w", TensorView.ofFloats(Shape.of(COUNT), weights)));
    builder.output("y", builder.apply("Add", sum, builder.constant("small", small)));
    return builder.build();
  }

  private static Graph graph(float value) {
    return graph(value, TensorView.ofFloats(Shape.of(1), value));
  }

  private static void write(Graph graph, Path file) throws IOException {
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file, 0);
  }

  private static double weight(Path file, String name) {
    return OnnxReader.read(file, Models.operators()).nodes().stream().filter(it -> it.name().equals(name)).findFirst()
      .map(it -> it.kind() instanceof NodeKind.Constant(TensorView value) ? value.doubleAt(0) : Double.NaN)
      .orElseThrow();
  }

  @Test
  void aModelThatIsNotReplacedInTheEndKeepsItsWeights() throws IOException {
    Path file = folder.resolve("m.onnx");
    write(graph(1), file);
    Arena arena = Arena.ofConfined();
    TensorView lost = new TensorView(TensorType.of(DType.FLOAT32, 1), arena.allocate(4, 4));
    Graph other = graph(2, lost);
    var types = DeclaredOutputs.of(other);
    arena.close();
    // The weights are written, and the model then fails on its small constant, as it would when the process is killed.
    assertThatThrownBy(() -> OnnxWriter.write(other, types, file, 0)).isInstanceOf(IllegalStateException.class);
    assertThat(weight(file, "w")).isEqualTo(1);
    assertThat(weight(file, "small")).isEqualTo(1);
    write(graph(3), file);
    assertThat(weight(file, "w")).isEqualTo(3);
    assertThat(folder.toFile().list()).as("what was left over is gone").hasSize(2);
  }

  @Test
  void theOldWeightsGoWhenTheNewModelIsThere() throws IOException {
    Path file = folder.resolve("m.onnx");
    Path other = Files.writeString(folder.resolve("m.onnx.data.txt"), "another's");
    Path neighbour = folder.resolve("n.onnx");
    write(graph(9), neighbour);
    for (int value = 1; value <= 4; value++) {
      write(graph(value), file);
      assertThat(weight(file, "w")).isEqualTo(value);
    }
    try (var files = Files.list(folder)) {
      assertThat(files.map(it -> String.valueOf(it.getFileName())).filter(it -> it.startsWith("m.onnx."))).hasSize(2)
        .contains("m.onnx.data.txt");
    }
    assertThat(other).hasContent("another's");
    assertThat(weight(neighbour, "w")).isEqualTo(9);
  }

  @Test
  void aGraphThatReadsTheOldWeightsCanReplaceThem() throws IOException {
    Path file = folder.resolve("m.onnx");
    write(graph(5), file);
    Graph again = OnnxReader.read(file, Models.operators());
    OnnxWriter.write(again, DeclaredOutputs.of(again), file, 0);
    assertThat(weight(file, "w")).isEqualTo(5);
  }
}
