package dev.cairn.runtime.memory.analysis.recompute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.PassText;
import dev.cairn.runtime.pass.layout.ChannelsLastOperators;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.SessionOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What steps cost, without a clock. */
class StepWorkTest {
  private static final int CHANNELS = 64;
  private static final int EXTENT = 32;

  @Test
  void gradientsOfConvolutionsCountTwice() {
    var builder = new GraphBuilder("convolutions");
    TensorType type = TensorType.of(DType.FLOAT32, 1, CHANNELS, EXTENT, EXTENT);
    NodeEntry x = builder.input("x", type);
    NodeEntry w = builder.variable("w", TensorView.ofFloats(Shape.of(CHANNELS, CHANNELS, 3, 3), new float[CHANNELS
      * CHANNELS * 9]));
    Attributes pads = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1));
    builder.output("forward", builder.apply("Conv", pads, x, w));
    builder.output("backward", builder.apply("ConvTranspose", pads, x, w));
    builder.output("moved", builder.apply("Relu", x));
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT.withThreads(1))) {
      CompiledGraph compiled = compiler.compile(builder.build(), Map.of("x", type), CompileOptions.DEFAULT
        .withFusion(FusionChoice.OFF).withChannelsLast(false));
      var work = new StepWork(compiled.types(), StandardOperators.table(), StepWork.OF_PROCESSOR);
      List<Long> costs = List.of("Conv", "ConvTranspose", "Relu").stream().map(operator -> compiled.storage().steps()
        .stream().filter(it -> it.operator().equals(operator)).mapToLong(work::cost).sum()).toList();
      double operations = 2.0 * CHANNELS * EXTENT * EXTENT * CHANNELS * 9;
      assertThat(costs.get(0) / operations).isCloseTo(1, within(0.001));
      assertThat(costs.get(1) / operations).isCloseTo(2, within(0.001));
      assertThat(costs.get(2)).as("bytes moved").isBetween(StepWork.OF_PROCESSOR * 2 * type.bytes(),
        StepWork.OF_PROCESSOR
          * 2 * type.bytes() + 100_000);
    }
  }

  /** Where channels lie changes no operation. */
  @Test
  void transposedConvolutionsCostTheSameWithChannelsLast() {
    OperatorTable operators = ChannelsLastOperators.in(StandardOperators.table());
    long[] costs = Stream.of("y = ConvTranspose{strides=[4,4]}(x, w)", "y = ConvTransposeNhwc{strides=[4,4]}(z, w)")
      .mapToLong(node -> {
        Graph graph = PassText.graph("x = input float32[1x64x32x32]\nz = input float32[1x32x32x64]\n"
          + "w = constant random float32[64x32x4x4]\n" + node + "\nreturn y=y\n");
        GraphTypes types = new TypeInference(operators, ValueEvaluator.NONE).infer(graph, GraphFixture.inputTypes(
          graph));
        return new StepWork(types, operators, StepWork.OF_PROCESSOR).cost(graph.outputs().getFirst().entry().node());
      }).toArray();
    assertThat(costs[1]).isEqualTo(costs[0]);
  }
}
