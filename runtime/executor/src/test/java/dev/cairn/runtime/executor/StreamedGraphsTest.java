package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.memory.analysis.StreamReuse;
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

/** Random graphs on random numbers of streams give what they give on one, to the bit. */
class StreamedGraphsTest {
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
  void streamsChangeNothing() {
    assertSame(0, 25);
  }

  @Test
  @Tag("soak")
  void streamsChangeNothingInAThousandGraphs() {
    assertSame(25, 1_200);
  }

  private static void assertSame(int firstSeed, int endSeed) {
    int beside = 0;
    for (int seed = firstSeed; seed < endSeed; seed++) {
      var random = new SplittableRandom(seed);
      Graph graph = RandomGraphs.of(seed, 3 + random.nextInt(25));
      CompileOptions serial = CompileOptions.DEFAULT.withSimplify(false);
      CompileOptions options = serial.withStreams(2 + random.nextInt(4)).withStreamMemory(2)
        .withInPlace(random.nextBoolean()).withStreamReuse(random.nextBoolean()
          ? StreamReuse.ORDERED
          : StreamReuse.SAME_STREAM);
      CompiledGraph compiled = compile(graph, options);
      beside += compiled.schedule().steps().stream().anyMatch(step -> step.stream() > 0) ? 1 : 0;
      assertThat(run(compiled, 3)).as("seed %d: %s", seed, options).containsExactly(run(compile(graph, serial), 1));
    }
    assertThat(beside).as("graphs that really ran on several streams").isGreaterThan((endSeed - firstSeed) / 2);
  }

  private static CompiledGraph compile(Graph graph, CompileOptions options) {
    return new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream()).compile(graph,
      InputBinding.ofShapes(graph, Map.of()), options);
  }

  /** All outputs of the last of some runs, one after the other, each on inputs of its own. */
  private static byte[] run(CompiledGraph compiled, int runs) {
    try (var allocator = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT);
      var weights = new WeightStore(allocator).store(compiled.storage().constants());
      var executor = new StaticExecutor(compiled, weights.views(), allocator, device);
      Arena arena = Arena.ofShared()) {
      for (int left = runs; left > 0; left--) {
        executor.run(List.of(input(arena, left), input(arena, left + 7)));
      }
      List<byte[]> parts = new ArrayList<>();
      for (int i = 0; i < compiled.graph().graph().outputs().size(); i++) {
        parts.add(executor.output(i).segment().toArray(ValueLayout.JAVA_BYTE));
      }
      byte[] all = new byte[parts.stream().mapToInt(part -> part.length).sum()];
      int at = 0;
      for (byte[] part : parts) {
        System.arraycopy(part, 0, all, at, part.length);
        at += part.length;
      }
      return all;
    }
  }

  private static TensorView input(Arena arena, int salt) {
    float[] values = new float[24];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7 + salt);
    }
    return new TensorView(new TensorType(DType.FLOAT32, Shape.of(4, 6)), arena.allocateFrom(ValueLayout.JAVA_FLOAT,
      values));
  }
}
