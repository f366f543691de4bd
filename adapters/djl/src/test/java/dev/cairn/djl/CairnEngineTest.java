package dev.cairn.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.Batchifier;
import ai.djl.translate.TranslateException;
import ai.djl.translate.Translator;
import ai.djl.translate.TranslatorContext;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What DJL asks of an engine. */
class CairnEngineTest {
  @TempDir
  private Path folder;
  private Path file = Path.of("");

  /** y = x + (1, 2, 3) for rows of three numbers. */
  @BeforeEach
  void write() throws IOException {
    var builder = new GraphBuilder("sums");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(3))));
    builder.output("y", builder.apply("Add", x, builder.constant("w", TensorView.ofFloats(dev.cairn.kernels.tensor.Shape
      .of(3), 1, 2, 3))));
    Graph graph = builder.build();
    file = folder.resolve("sums.onnx");
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
  }

  @Test
  void criteriaChooseCairn() throws Exception {
    assertThat(Engine.getAllEngines()).contains("Cairn");
    float[] likely = CriteriaExample.classify(file, new float[] {0, 0, -1});
    double sum = Math.E + 2 * Math.exp(2);
    assertThat(likely).containsExactly(new float[] {(float) (Math.E / sum), (float) (Math.exp(2) / sum), (float) (Math
      .exp(2) / sum)}, within(1e-6f));
  }

  /** A row in, a row out, batched by DJL. */
  private static final class Rows implements Translator<float[], float[]> {
    @Override
    public NDList processInput(TranslatorContext context, float[] row) {
      return new NDList(context.getNDManager().create(row));
    }

    @Override
    public float[] processOutput(TranslatorContext context, NDList outputs) {
      return outputs.singletonOrThrow().toFloatArray();
    }

    @Override
    public Batchifier getBatchifier() {
      return Batchifier.STACK;
    }
  }

  @Test
  void predictorsBatchRows() throws IOException, MalformedModelException, TranslateException {
    try (Model model = Model.newInstance("sums", "Cairn")) {
      model.load(folder);
      assertThat(model.describeInput().get("x")).isEqualTo(new Shape(-1, 3));
      assertThat(model.describeOutput().get("y").get(1)).isEqualTo(3);
      try (Predictor<float[], float[]> predictor = model.newPredictor(new Rows())) {
        assertThat(predictor.predict(new float[] {1, 1, 1})).containsExactly(2, 3, 4);
        assertThat(predictor.batchPredict(List.of(new float[] {0, 0, 0}, new float[] {1, 0, 0}))).containsExactly(
          new float[] {1, 2, 3}, new float[] {2, 2, 3});
      }
    }
  }

  @Test
  void aModelMayBeAStream() throws IOException, MalformedModelException {
    try (Model model = Model.newInstance("sums", "Cairn"); var bytes = Files.newInputStream(file)) {
      model.load(bytes, Map.of("threads", "1"));
      NDManager manager = model.getNDManager();
      NDList outputs = model.getBlock().forward(new ai.djl.training.ParameterStore(manager, true), new NDList(manager
        .create(new float[] {1, 2, 3}, new Shape(1, 3))), false);
      assertThat(outputs.get("y").toFloatArray()).containsExactly(2, 4, 6);
    }
  }

  @Test
  void badModelsAreRefusedAsDjlDoes() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.onnx"), "no model");
    try (Model model = Model.newInstance("bad", "Cairn")) {
      assertThatThrownBy(() -> model.load(bad)).isInstanceOf(MalformedModelException.class).hasMessageContaining(
        "bad.onnx");
      assertThatThrownBy(() -> model.load(folder, "none")).hasMessageContaining("none");
    }
  }

  @Test
  void arraysHaveTheFunctionsThatPredictorsNeed() {
    try (NDManager manager = Engine.getEngine("Cairn").newBaseManager()) {
      NDArray array = manager.create(new float[] {1, 2, 3, 4, 5, 6}, new Shape(2, 3));
      assertThat(array.reshape(3, -1).getShape()).isEqualTo(new Shape(3, 2));
      assertThat(array.flatten().toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(array.expandDims(1).getShape()).isEqualTo(new Shape(2, 1, 3));
      assertThat(array.expandDims(-1).squeeze(2).getShape()).isEqualTo(new Shape(2, 3));
      assertThat(array.split(2)).extracting(it -> it.toFloatArray()[0]).containsExactly(1f, 4f);
      assertThat(array.softmax(1).toFloatArray()[0]).isCloseTo(0.09003057f, within(1e-6f));
      assertThat(array.toType(DataType.INT64, false).toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(array.duplicate()).isEqualTo(array);
      assertThat(manager.zeros(new Shape(2)).toFloatArray()).containsExactly(0, 0);
      assertThat(manager.create(new boolean[] {true, false}).toBooleanArray()).containsExactly(true, false);
      array.set(new float[] {7, 8, 9, 10, 11, 12});
      assertThat(array.toFloatArray()[5]).isEqualTo(12);
      assertThatIllegalArgumentException().isThrownBy(() -> array.reshape(4, 2)).withMessageContaining("(4, 2)");
      assertThatIllegalArgumentException().isThrownBy(() -> array.squeeze(0));
      assertThatThrownBy(() -> manager.create("text")).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> array.add(1)).isInstanceOf(UnsupportedOperationException.class);
      array.close();
      assertThatThrownBy(array::toFloatArray).isInstanceOf(IllegalStateException.class);
    }
  }
}
