package dev.cairn.kernels.cpu.vector;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.row.NormalizationKernels;
import dev.cairn.kernels.row.ReduceKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compiled kernels put no vectors on the Java heap: a sum that began with a vector from a field did, and took nine
 * times as long. To be run by itself: what the JVM inlines depends on all calls that came before.
 */
@Tag("soak")
class VectorGarbageTest {
  /** Few rows, as some kernels make small objects for each. */
  private static final Shape SHAPE = Shape.of(1, 16, 2, 512);
  /** What a call may make, where its vectors would take 64 KiB. */
  private static final long MOST_BYTES = 16 << 10;
  private static final int CALLS = 300;
  /** Rounds of calls until the JVM must have compiled them. */
  private static final int ROUNDS = 100;
  private static final List<KernelRow> ROWS = Stream.of(NormalizationKernels.ROWS, ReduceKernels.ROWS,
    ElementwiseKernels.ROWS).flatMap(List::stream).filter(it -> it.twin() == Twin.VECTOR).toList();

  private static TensorView[] inputs(String operator) {
    var random = new Random(3);
    TensorView x = TestTensors.random(DType.FLOAT32, SHAPE, random);
    TensorView channels = TestTensors.random(DType.FLOAT32, Shape.of(SHAPE.extent(1)), random);
    TensorView row = TestTensors.random(DType.FLOAT32, Shape.of(SHAPE.extent(-1)), random);
    return switch (operator) {
      case "InstanceNormalization", "GroupNormalization" -> new TensorView[] {x, channels, channels};
      case "GroupNormalizationNhwc", "LayerNormalization" -> new TensorView[] {x, row, row};
      case "Add" -> new TensorView[] {x, row};
      case "ReduceSum", "ReduceMean", "ReduceSumSquare" -> new TensorView[] {x, TestTensors.int64s(-1)};
      default -> new TensorView[] {x};
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"InstanceNormalization", "GroupNormalization", "GroupNormalizationNhwc", "LayerNormalization",
    "Softmax", "ReduceSum", "ReduceMean", "ReduceSumSquare", "Add", "Swish", "Tanh"})
  void noVectorBecomesAnObject(String operator) {
    TensorView[] inputs = inputs(operator);
    Attributes attributes = Attributes.NONE.with("num_groups", 4).with("axis", -1);
    TensorType output = operator.startsWith("Reduce")
      ? inputs[0].type().withShape(SHAPE.with(SHAPE.rank() - 1, 1))
      : inputs[0].type();
    KernelSignature signature = KernelRunner.signature(attributes, List.of(output), inputs);
    KernelRow row = new KernelCatalog(ROWS).find(operator, signature).orElseThrow();
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (var arena = Arena.ofConfined(); var device = new CpuDevice(1)) {
      var call = new KernelCall(inputs, new TensorView[] {TestTensors.zeros(output)}, attributes, arena.allocate(row
        .kernel().workspaceBytes(signature), 64), device.defaultStream());
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS && least > MOST_BYTES; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
          row.kernel().run(call);
        }
        least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / CALLS);
      }
      assertThat(least).as("bytes of a call").isLessThanOrEqualTo(MOST_BYTES);
    }
  }
}
