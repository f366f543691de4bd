package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Graphs whose products take in what follows them, planned and run by the portable kernels, give what they give
 * unfused, to the bit: what lies where, what may lie over what, which node reads what. The kernels are given out as
 * CUDA's, for only there such nodes are made.
 */
class FusedProductGraphsTest {
  private static final KernelCatalog AS_ON_CUDA = new KernelCatalog(StandardKernels.portableRows().stream().map(
    row -> new KernelRow(row.operator(), Twin.CUDA, row.decides(), row.dtypes(), row.kernel())).toList());
  private static CpuDevice device;

  @BeforeAll
  static void open() {
    device = new CpuDevice(1);
  }

  @AfterAll
  static void close() {
    device.close();
  }

  @Test
  void randomGraphsGiveWhatTheyGiveUnfused() {
    assertThat(checkRandomGraphs(7)).isGreaterThan(60 / 7);
  }

  @Test
  @Tag("soak")
  void manyRandomGraphsGiveWhatTheyGiveUnfused() {
    assertThat(checkRandomGraphs(1)).isGreaterThan(60);
  }

  private static int checkRandomGraphs(int step) {
    int products = 0;
    for (int seed = 0; seed < 150; seed += step) {
      Graph graph = RandomGraphs.of(seed, 10 + seed % 50);
      products += check(graph, CompileOptions.DEFAULT.withStreams(1 + seed % 3), seed);
    }
    return products;
  }

  /** Towers of x + f(x . w): the sum may lie over r and not over x, which is still multiplied. */
  @Test
  void residualsAreNotOverwrittenWhileTheyAreMultiplied() {
    checkResiduals(10);
  }

  @Test
  @Tag("soak")
  void residualsOfManyGraphsAreNotOverwrittenWhileTheyAreMultiplied() {
    checkResiduals(600);
  }

  private static void checkResiduals(int graphs) {
    for (int seed = 0; seed < graphs; seed++) {
      var random = new SplittableRandom(seed);
      var builder = new GraphBuilder("residuals");
      List<NodeEntry> values = new ArrayList<>(List.of(builder.input("a", TensorType.of(DType.FLOAT32, 4, 4)), builder
        .input("b", TensorType.of(DType.FLOAT32, 4, 4))));
      for (int floor = 0; floor < 8; floor++) {
        NodeEntry x = values.get(values.size() - 1 - random.nextInt(2));
        NodeEntry residual = values.get(values.size() - 1 - random.nextInt(Math.min(3, values.size())));
        NodeEntry shaped = random.nextInt(3) > 0
          ? x
          : builder.apply("Reshape", builder.apply("Reshape", x, builder.constant("flat", TensorView.ofLongs(16))),
            builder.constant("square", TensorView.ofLongs(4, 4)));
        NodeEntry product = builder.apply("MatMul", builder.apply("Tanh", x), shaped);
        NodeEntry sum = random.nextBoolean()
          ? builder.apply("Add", product, residual)
          : builder.apply("Sub", residual, product);
        values.add(random.nextBoolean() ? builder.apply("Tanh", sum) : sum);
      }
      builder.output("y", values.getLast());
      assertThat(check(builder.build(), CompileOptions.DEFAULT, seed)).isPositive();
    }
  }

  /** How many products took something in. */
  private static int check(Graph graph, CompileOptions options, int seed) {
    CompiledGraph plain = compile(graph, options.withFusion(FusionChoice.OFF));
    CompiledGraph fused = compile(graph, options.withFusion(FusionChoice.ON));
    List<byte[]> expected = run(plain);
    List<byte[]> actual = run(fused);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i)).as("seed %d output %d of %s", seed, i, fused.graph().graph()).isEqualTo(expected.get(
        i));
    }
    assertThat(compile(graph, options.withFusion(FusionChoice.ON)).graph().graph().toString()).isEqualTo(fused.graph()
      .graph().toString());
    return Math.toIntExact(fused.graph().graph().nodes().stream().filter(node -> node.operator().equals(
      FusedProduct.OPERATOR)).count());
  }

  private static CompiledGraph compile(Graph graph, CompileOptions options) {
    CompiledGraph compiled = new Compiler(StandardOperators.table(), AS_ON_CUDA, device.defaultStream()).compile(graph,
      InputBinding.ofShapes(graph, Map.of()), options);
    assertThat(PlanValidator.validate(compiled.storage().problem(), compiled.plan())).isEmpty();
    return compiled;
  }

  private static List<byte[]> run(CompiledGraph compiled) {
    try (var allocator = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT);
      var weights = new WeightStore(allocator).store(compiled.storage().constants());
      var executor = new StaticExecutor(compiled, weights.views(), allocator, device);
      Arena arena = Arena.ofShared()) {
      List<byte[]> results = new ArrayList<>();
      for (int round = 0; round < 2; round++) {
        List<TensorView> inputs = new ArrayList<>();
        for (var input : compiled.graph().graph().inputs()) {
          inputs.add(input(arena, compiled.types().type(input.entry()).shape(), round + inputs.size()));
        }
        executor.run(inputs);
        for (int i = 0; i < compiled.graph().graph().outputs().size(); i++) {
          results.add(executor.output(i).segment().toArray(ValueLayout.JAVA_BYTE));
        }
      }
      return results;
    }
  }

  private static TensorView input(Arena arena, Shape shape, int salt) {
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7 + salt);
    }
    return new TensorView(new TensorType(DType.FLOAT32, shape), arena.allocateFrom(ValueLayout.JAVA_FLOAT, values));
  }
}
