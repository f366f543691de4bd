package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code run}, {@code plan}, {@code compare}, {@code bench} and {@code train} on a device, as a user calls them. */
class DeviceCommandsTest {
  private static final AtomicLong NEEDED = new AtomicLong();

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
      new RuntimeOptions(false, environment));
    return new Told(code, out.toString(), err.toString());
  }

  /** A model on a device: one run step by step, one that is recorded, and one that is repeated. */
  private static Told run(Object... words) {
    return cairn(
      Stream.concat(Stream.of("run"), Stream.concat(Stream.of(words), Stream.of("--warmup", 1, "--iterations",
        2))).toArray());
  }

  /** Whatever the plan says that mlp needs on the device: weights, plan and inputs. */
  private static long needed() {
    return NEEDED.updateAndGet(known -> known > 0 ? known : plannedBytes());
  }

  private static long plannedBytes() {
    return figure("totalBytes", cairn("plan", "mlp", "--device", CudaUnderTest.deviceName(), "--format", "json"));
  }

  private static long figure(String name, Told told) {
    assertThat(told.code).as(told.err).isZero();
    Matcher figure = Pattern.compile("\"%s\" : (\\d+)".formatted(name)).matcher(told.out);
    assertThat(figure.find()).as(name).isTrue();
    return Long.parseLong(figure.group(1));
  }

  /** The device with so many bytes left, for as long as it is open. */
  private static CudaDevice withFreeBytes(long bytes) {
    CudaDevice device = CudaDevice.open(CudaUnderTest.driver(), 0);
    device.allocate(device.memoryInfo().freeBytes() - bytes);
    return device;
  }

  @Test
  @Tag("long")
  void aDeviceWithNineTenthsOfWhatIsNeededIsReportedAsThePlanPredicted() {
    CudaUnderTest.simulator();
    long bytes = needed() * 9 / 10 / 512 * 512;
    Told planned = cairn("plan", "mlp", "--device", "sim", "--recompute", "off", "--memory-limit", bytes);
    assertThat(planned.code).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    assertThat(planned.err).contains("does not fit", "short by");
    try (CudaDevice full = withFreeBytes(bytes)) {
      assertThat(full.memoryInfo().freeBytes()).isEqualTo(bytes);
      Told run = run("mlp", "--device", "sim");
      assertThat(run.code).as(run.err).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
      assertThat(run.err).contains("source-refused", "device:0", "what would help", "end other programs");
      assertThat(cairn("bench", "mlp", "--device", "sim").code).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    }
    assertThat(run("mlp", "--device", "sim").code).as("once there is room again").isZero();
  }

  @Test
  @Tag("long")
  void aLimitOfNineTenthsIsReportedAsALimitOnTheDevice() {
    long bytes = needed() * 9 / 10;
    Told run = run("mlp", "--device", CudaUnderTest.deviceName(), "--recompute", "off",
      "--memory-limit", bytes);
    assertThat(run.code).as(run.err).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    assertThat(run.err).contains("limitBytes=" + bytes);
  }

  @Test
  @Tag("long")
  void whatThePlanSaysThatFitsRunsInThatMuchMemory() {
    CudaUnderTest.simulator();
    // Pools of regions may leave some bytes at their ends.
    long bytes = needed() + (4 << 10);
    assertThat(cairn("plan", "mlp", "--device", "sim", "--memory-limit", bytes).code).isZero();
    try (CudaDevice full = withFreeBytes(bytes)) {
      assertThat(full.memoryInfo().freeBytes()).isLessThanOrEqualTo(bytes);
      Told run = run("mlp", "--device", "sim");
      assertThat(run.code).as(run.err).isZero();
      assertThat(run.out).contains("cuda:0");
    }
  }

  /** y = tanh(relu(softmax(x xT) x w)) for heads of 8: attention, a product with a weight, neighbours to be fused. */
  private Path heads() throws IOException {
    var builder = new GraphBuilder("heads");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 3, 40, 8));
    NodeEntry keys = builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(0, 1, 3, 2)), x);
    NodeEntry shares = builder.apply("Softmax", builder.apply("MatMul", x, keys));
    float[] weights = new float[8 * 300];
    Arrays.fill(weights, 0.125f);
    NodeEntry mixed = builder.apply("MatMul", builder.apply("MatMul", shares, x), builder.constant("w", TensorView
      .ofFloats(Shape.of(8, 300), weights)));
    builder.output("y", builder.apply("Tanh", builder.apply("Relu", mixed)));
    Path file = folder.resolve("heads.onnx");
    OnnxWriter.write(builder.build(), List.of(new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(2),
      new Dimension.Fixed(3), new Dimension.Fixed(40), new Dimension.Fixed(300)))), file);
    return file;
  }

  /**
   * To the byte: what plan says is what the session's allocator then holds, and one chunk less is too little without
   * streamed weights.
   */
  @ParameterizedTest
  @ValueSource(strings = {"", "--no-fusion", "--precision float16", "--math tf32", "--streams 2", "--planner naive"})
  @Tag("long")
  void planPredictsWhatARunOnTheDeviceHolds(String options) throws IOException {
    List<Object> words = new ArrayList<>(List.of("--device", CudaUnderTest.deviceName(), "--format", "json"));
    if (!options.isEmpty()) {
      words.addAll(List.of(options.split(" ", -1)));
    }
    // The simulator takes long for a model of 16-bit floats.
    for (Object model : options.contains("float16") ? List.of(heads()) : List.of(heads(), "mlp")) {
      Told plan = told("plan", model, words);
      long needed = figure("totalBytes", plan);
      Told run = told("run", model, words);
      assertThat(figure("peakBytesInUse", run)).as("%s", model).isEqualTo(needed);
      for (String name : List.of("peakBytes", "steps", "buffers", "weightBytes")) {
        assertThat(figure(name, plan)).as(name).isEqualTo(figure(name, run));
      }
      assertThat(plan.out).contains("cuda:0").contains("\"resultBytes\" : 0");
      words.addAll(List.of("--recompute", "off", "--memory-limit", needed));
      assertThat(told("plan", model, words).code).isZero();
      assertThat(told("run", model, words).code).isZero();
      words.set(words.size() - 1, needed - 256);
      for (String verb : List.of("plan", "run")) {
        assertThat(told(verb, model, words).code).as(verb).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
      }
      words.subList(words.size() - 4, words.size()).clear();
    }
  }

  private static Told told(String verb, Object model, List<Object> words) {
    Object[] all = Stream.concat(Stream.of(model), words.stream()).toArray();
    return verb.equals("run") ? run(all) : cairn(Stream.concat(Stream.of(verb), Stream.of(all)).toArray());
  }

  @Test
  @Tag("long")
  void thePlanOfADeviceIsNotThatOfTheProcessor() throws IOException {
    String device = CudaUnderTest.deviceName();
    Told here = cairn("plan", heads(), "--device", "cpu", "--kernels", "vector", "--format", "json");
    Told there = cairn("plan", heads(), "--device", device, "--format", "json");
    assertThat(figure("steps", there)).as("fused on the device").isLessThan(figure("steps", here));
    assertThat(figure("inputBytes", there)).isEqualTo(2 * 3 * 40 * 8 * Float.BYTES);
    assertThat(figure("inputBytes", here)).isZero();
    assertThat(figure("resultBytes", here)).isEqualTo(2 * 3 * 40 * 300 * Float.BYTES);
    assertThat(figure("weightBytes", cairn("plan", heads(), "--device", device, "--precision", "bfloat16", "--format",
      "json"))).isLessThan(figure("weightBytes", there));
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
  @Tag("long")
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
  @Tag("long")
  void aConvolutionWithWhatFollowsItIsOneLayerWhereItIsFused() throws IOException {
    Path model = residual();
    Simulator simulator = CudaUnderTest.simulator();
    Told apart = cairn("compare", model, "--device", "sim");
    assertThat(apart.out).as(apart.err).contains("all of 3 layers agree");
    Told fused = cairn("compare", model, "--device", "sim", "--fused");
    assertThat(fused.out).as(fused.err).contains("all of 1 layers agree");
    simulator.fail("cuLaunchKernel", 1, 0);
    Told told = cairn("compare", model, "--device", "sim", "--fused");
    assertThat(told.code).as(told.err).isEqualTo(ExitCode.COMPARISON_FAILED.number());
    assertThat(told.err).contains("operator=FusedProduct").containsPattern("fused=\\[\\S+,\\s+\\S+,\\s+\\S+\\]");
  }

  /** y = relu(x + the convolution of x). */
  private Path residual() throws IOException {
    var builder = new GraphBuilder("residual");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 1, 3, 6, 5));
    float[] weights = new float[81];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i % 7 - 3;
    }
    NodeEntry product = builder.apply("Conv", Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1)), x,
      builder.constant("w", TensorView.ofFloats(Shape.of(3, 3, 3, 3), weights)));
    builder.output("y", builder.apply("Relu", builder.apply("Add", product, x)));
    Path file = folder.resolve("residual.onnx");
    OnnxWriter.write(builder.build(), List.of(new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(1),
      new Dimension.Fixed(3), new Dimension.Fixed(6), new Dimension.Fixed(5)))), file);
    return file;
  }

  @Test
  void theFirstLayerThatDiffersIsNamed() throws IOException {
    Path model = chain();
    Simulator simulator = CudaUnderTest.simulator();
    // A launch that reports success, and does nothing.
    simulator.fail("cuLaunchKernel", 3, 0);
    Told told = cairn("compare", model, "--device", "sim");
    assertThat(told.code).as(told.err).isEqualTo(ExitCode.COMPARISON_FAILED.number());
    assertThat(told.err).contains("operator=Neg", "layer=3", "of=4", "the device differs");
    assertThat(cairn("compare", model, "--device", "sim").code).as("without the fault").isZero();
  }

  @Test
  @Tag("long")
  void benchmarksRunOnTheDevice() {
    Told told = cairn("bench", "mlp", "--device", CudaUnderTest.deviceName(), "--iterations", 3, "--warmup", 2,
      "--format", "json");
    assertThat(told.code).as(told.err).isZero();
    assertThat(told.out).contains("cuda:0").contains("\"runs\" : 3");
  }

  @ParameterizedTest
  @CsvSource({"1MiB, off", "2146304, off", "1MiB, auto"})
  @Tag("long")
  void aRefusalNamesTheLimitThatWorks(String limit, String recompute) {
    Object[] words = {"mlp", "--device", CudaUnderTest.deviceName(), "--recompute", recompute, "--memory-limit", limit};
    Told refused = run(words);
    assertThat(refused.code).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    Matcher advice = Pattern.compile("raise --memory-limit to (\\d+),").matcher(refused.err);
    assertThat(advice.find()).as(refused.err).isTrue();
    long enough = Long.parseLong(advice.group(1));
    if (recompute.equals("off")) {
      assertThat(enough).isEqualTo(needed());
    } else {
      assertThat(enough).as("with streamed weights").isLessThan(needed());
    }
    words[words.length - 1] = enough;
    Told told = run(words);
    assertThat(told.code).as(told.err).isZero();
  }

  @Test
  void aSimulatorThatIsNotThereIsSomethingTheMachineLacks() {
    var err = new StringWriter();
    int code = Main.execute(new String[] {"run", "mlp", "--device", "sim"}, new PrintWriter(new StringWriter()),
      new PrintWriter(err, true), new RuntimeOptions(false, Map.of()));
    assertThat(code).isEqualTo(ExitCode.MACHINE_LACKS.number());
    assertThat(err.toString()).contains("CAIRN_SIMULATOR");
  }

  /** Rows whose class is the column that is larger, in turns of four. */
  private Path rows() throws IOException {
    var random = new SplittableRandom(7);
    var text = new StringBuilder();
    for (int row = 0; row < 100; row++) {
      int label = random.nextInt(4);
      for (int column = 0; column < 16; column++) {
        text.append(random.nextInt(8) + (column % 4 == label ? 8 : 0)).append(',');
      }
      text.append(label).append('\n');
    }
    return Files.writeString(folder.resolve("rows.csv"), text);
  }

  private static Told train(Path data, String device, Object... words) {
    Told told = cairn(Stream.concat(Stream.of("train", "mlp", "--widths", "16,32,4", "--data", data, "--batch", 16,
      "--rate", "0.05", "--device", device), Stream.of(words)).toArray());
    assertThat(told.code).as(told.err).isZero();
    return told;
  }

  /** Epoch, loss and accuracy of each line. */
  private static List<double[]> epochs(Told told) {
    return told.out.lines().filter(it -> it.matches("\\d+ .*")).map(it -> Arrays.stream(it.split(" +", 4)).limit(3)
      .mapToDouble(Double::parseDouble).toArray()).toList();
  }

  /** The same figures as on the processor, from a plan that says what the device's memory holds. */
  @Test
  @Tag("long")
  void aNetworkIsTrainedOnTheDevice() throws IOException {
    Path data = rows();
    Told trained = train(data, CudaUnderTest.deviceName(), "--epochs", 4);
    List<double[]> found = epochs(trained);
    List<double[]> wanted = epochs(train(data, "cpu", "--epochs", 4));
    assertThat(found).hasSameSizeAs(wanted).hasSize(4);
    for (int i = 0; i < wanted.size(); i++) {
      assertThat(found.get(i)[1]).as("loss of epoch %d", i + 1).isCloseTo(wanted.get(i)[1], within(1e-4));
      assertThat(found.get(i)[2]).as("accuracy of epoch %d", i + 1).isEqualTo(wanted.get(i)[2]);
    }
    assertThat(found.getLast()[2]).isGreaterThan(0.8);
    Matcher memory = Pattern.compile("(?m)^memory +peak (.+) of the planned (.+)$").matcher(trained.out);
    assertThat(memory.find()).as(trained.out).isTrue();
    assertThat(memory.group(1)).isEqualTo(memory.group(2));
  }

  @Test
  @Tag("long")
  void aTrainingOnTheDeviceIsResumedToTheBytesOfAnUnbrokenOne() throws IOException {
    Path data = rows();
    Path whole = folder.resolve("whole.safetensors");
    Path parts = folder.resolve("parts.safetensors");
    String device = CudaUnderTest.deviceName();
    train(data, device, "--optimizer", "adamw", "--epochs", 3, "--checkpoint", whole);
    train(data, device, "--optimizer", "adamw", "--epochs", 1, "--checkpoint", parts);
    train(data, device, "--optimizer", "adamw", "--epochs", 3, "--resume", parts, "--checkpoint", parts);
    assertThat(Files.mismatch(parts, whole)).isEqualTo(-1);
  }
}
