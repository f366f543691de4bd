package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run}, {@code plan}, {@code compare} and {@code bench} on a device, as a user calls them. */
class DeviceCommandsTest {
  private static final Pattern NEEDED = Pattern.compile("\"totalBytes\" : (\\d+)");

  @TempDir
  private Path folder;

  private record Told(int code, String out, String err) {}

  private static Told cairn(Object... words) {
    var out = new StringWriter();
    var err = new StringWriter();
    List<String> arguments = new ArrayList<>();
    for (Object word : words) {
      arguments.add(word.toString());
    }
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("CAIRN_SIMULATOR", CudaUnderTest.simulatorFolder().toAbsolutePath().toString());
    environment.putIfAbsent("CAIRN_CUDA_CACHE", Path.of("target/natives").toAbsolutePath().toString());
    int code = Main.execute(arguments.toArray(String[]::new), new PrintWriter(out, true), new PrintWriter(err, true),
      new RuntimeOptions(false, false, null, environment));
    return new Told(code, out.toString(), err.toString());
  }

  /** Whatever the plan says that mlp needs: weights, plan and results. */
  private static long needed() {
    Matcher needs = NEEDED.matcher(cairn("plan", "mlp", "--format", "json").out);
    assertThat(needs.find()).isTrue();
    return Long.parseLong(needs.group(1));
  }

  /** The device with so many bytes left, for as long as it is open. */
  private static CudaDevice withFreeBytes(long bytes) {
    CudaDevice device = CudaDevice.open(CudaUnderTest.driver(), 0);
    device.allocate(device.memoryInfo().freeBytes() - bytes);
    return device;
  }

  @Test
  void aDeviceWithNineTenthsOfWhatIsNeededIsReportedAsThePlanPredicted() {
    CudaUnderTest.simulator();
    long bytes = needed() * 9 / 10 / 512 * 512;
    Told planned = cairn("plan", "mlp", "--memory-limit", bytes);
    assertThat(planned.code).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    assertThat(planned.err).contains("does not fit", "short by");
    try (CudaDevice full = withFreeBytes(bytes)) {
      assertThat(full.memoryInfo().freeBytes()).isEqualTo(bytes);
      Told run = cairn("run", "mlp", "--device", "sim");
      assertThat(run.code).as(run.err).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
      assertThat(run.err).contains("source-refused", "device:0", "what would help", "end other users");
      assertThat(cairn("bench", "mlp", "--device", "sim").code).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    }
    assertThat(cairn("run", "mlp", "--device", "sim").code).as("once there is room again").isZero();
  }

  @Test
  void aLimitOfNineTenthsIsReportedAsALimitOnTheDevice() {
    long bytes = needed() * 9 / 10;
    Told run = cairn("run", "mlp", "--device", CudaUnderTest.deviceName(), "--memory-limit", bytes);
    assertThat(run.code).as(run.err).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    assertThat(run.err).contains("limitBytes=" + bytes);
  }

  @Test
  void whatThePlanSaysThatFitsRunsInThatMuchMemory() {
    // Beside weights, plan and results a device holds the inputs; pools of regions may leave some bytes at their ends.
    long bytes = 2 * needed();
    assertThat(cairn("plan", "mlp", "--memory-limit", bytes).code).isZero();
    CudaUnderTest.simulator();
    try (CudaDevice full = withFreeBytes(bytes)) {
      assertThat(full.memoryInfo().freeBytes()).isLessThanOrEqualTo(bytes);
      Told run = cairn("run", "mlp", "--device", "sim");
      assertThat(run.code).as(run.err).isZero();
      assertThat(run.out).contains("cuda:0");
    }
  }

  /** Four operators, one kernel each. */
  private Path chain() throws IOException {
    var builder = new GraphBuilder("chain");
    NodeEntry value = builder.input("x", TensorType.of(DType.FLOAT32, 4, 5));
    for (String operator : List.of("Relu", "Tanh", "Neg", "Sigmoid")) {
      value = builder.apply(operator, value);
    }
    builder.output("y", value);
    Graph graph = builder.build();
    Path file = folder.resolve("chain.onnx");
    OnnxWriter.write(graph, List.of(new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(4),
      new Dimension.Fixed(5)))), file);
    return file;
  }

  /** One 3×3 convolution. */
  private Path convolution() throws IOException {
    var builder = new GraphBuilder("convolution");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 1, 2, 5, 7));
    builder.output("y", builder.apply("Conv", x, builder.constant("w", TestTensors.random(DType.FLOAT32, Shape.of(3, 2,
      3, 3), new SplittableRandom(5)))));
    Path file = folder.resolve("convolution.onnx");
    OnnxWriter.write(builder.build(), List.of(new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(1),
      new Dimension.Fixed(3), new Dimension.Fixed(3), new Dimension.Fixed(5)))), file);
    return file;
  }

  @Test
  void convolutionsAreDoneByWhomTheOptionSays() throws IOException {
    Simulator simulator = CudaUnderTest.simulator();
    CudaUnderTest.cudnn();
    Path libraries = CudaUnderTest.simulatorFolder().toAbsolutePath();
    List<Object> words = List.of("compare", convolution(), "--device", "cuda:0", "--require-gpu", "--cuda-driver",
      libraries.resolve("libcuda.so.1"), "--cuda-libraries", libraries + ":" + libraries.resolveSibling("lib-cudnn"));
    for (String choice : List.of("own", "measured", "cudnn")) {
      long before = simulator.calls("cudnnConvolutionForward");
      List<Object> all = new ArrayList<>(words);
      all.addAll(List.of("--convolutions", choice));
      Told told = cairn(all.toArray());
      assertThat(told.code).as(told.err).isZero();
      assertThat(simulator.calls("cudnnConvolutionForward") > before).as(choice).isEqualTo(!choice.equals("own"));
    }
    Told wrong = cairn("run", convolution(), "--convolutions", "fast");
    assertThat(wrong.code).isEqualTo(ExitCode.USAGE.number());
    assertThat(wrong.err).contains("--convolutions", "fast");
  }

  @Test
  void allLayersAgree() throws IOException {
    Told told = cairn("compare", chain(), "--device", CudaUnderTest.deviceName());
    assertThat(told.code).as(told.err).isZero();
    assertThat(told.out).contains("all of 4 layers agree", "cuda:0");
  }

  @Test
  void theFirstLayerThatDiffersIsNamed() throws IOException {
    Path model = chain();
    Simulator simulator = CudaUnderTest.simulator();
    // A launch that claims to have gone well, and does nothing.
    simulator.fail("cuLaunchKernel", 3, 0);
    Told told = cairn("compare", model, "--device", "sim");
    assertThat(told.code).as(told.err).isEqualTo(ExitCode.COMPARISON_FAILED.number());
    assertThat(told.err).contains("operator=Neg", "layer=3", "of=4", "the device differs");
    assertThat(cairn("compare", model, "--device", "sim").code).as("without the fault").isZero();
  }

  @Test
  void benchmarksRunOnTheDevice() {
    Told told = cairn("bench", "mlp", "--device", CudaUnderTest.deviceName(), "--iterations", 3, "--warmup", 2,
      "--format", "json");
    assertThat(told.code).as(told.err).isZero();
    assertThat(told.out).contains("cuda:0").contains("\"runs\" : 3");
  }

  @Test
  void aSimulatorThatIsNotThereIsWrongUse() {
    var err = new StringWriter();
    int code = Main.execute(new String[] {"run", "mlp", "--device", "sim"}, new PrintWriter(new StringWriter()),
      new PrintWriter(err, true), new RuntimeOptions(false, false, null, Map.of()));
    assertThat(code).isEqualTo(ExitCode.USAGE.number());
    assertThat(err.toString()).contains("CAIRN_SIMULATOR");
  }
}
