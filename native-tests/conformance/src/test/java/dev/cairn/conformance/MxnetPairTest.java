package dev.cairn.conformance;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.benchmarks.mxnet.MxnetLibrary;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.Gradients;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.pass.gradient.GradientGraph;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.symbolfile.MxnetModel;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A model that MXNet 1.9.1's own library writes, as symbol and parameters: its outputs and gradients beside Cairn's.
 * The library is looked for where Maven puts it.
 */
class MxnetPairTest {
  private static final Path LIBRARY = Path.of(System.getProperty("user.home"),
    ".m2/repository/ai/djl/mxnet/mxnet-native-mkl/1.9.1/mxnet-native-mkl-1.9.1-linux-x86_64.jar");
  private static final int CPU = 1;
  /** A request that overwrites a gradient. */
  private static final int WRITE = 1;
  private static final int CLASSES = 5;
  private static final int BATCH = 2;
  /** Variables with their shapes, and nodes with attributes and what they read, in order. */
  private static final List<String> NETWORK = List.of( //
    "data 2,3,12,10", "conv1_weight 8,3,3,3", "conv1_bias 8", //
    "conv1 Convolution kernel=(3, 3);pad=(1, 1);num_filter=8 data conv1_weight conv1_bias", //
    "bn_gamma 8", "bn_beta 8", "bn_moving_mean 8", "bn_moving_var 8", //
    "bn BatchNorm fix_gamma=False;eps=0.001 conv1 bn_gamma bn_beta bn_moving_mean bn_moving_var", //
    "act1 Activation act_type=relu bn", //
    "pool1 Pooling kernel=(3, 3);stride=(2, 2);pool_type=max;pooling_convention=full act1", //
    "w2 6,4,3,3", //
    "conv2 Convolution kernel=(3, 3);stride=(2, 1);dilate=(1, 2);num_filter=6;num_group=2;no_bias=True pool1 w2",
    "leaky LeakyReLU act_type=leaky;slope=0.1 conv2", //
    "pool2 Pooling global_pool=True;pool_type=avg;kernel=(1, 1) leaky", //
    "flat Flatten  pool2", "fc_weight 5,6", "fc_bias 5", //
    "fc FullyConnected num_hidden=5 flat fc_weight fc_bias", "softmax_label 2",
    "softmax SoftmaxOutput  fc softmax_label");

  @TempDir
  private Path folder;

  /** It cannot be loaded twice into a process. */
  private static final class Loaded {
    static final MxnetLibrary MXNET = MxnetLibrary.load(LIBRARY);

    private Loaded() {}
  }

  private record Line(String name, String operator, String attributes, List<String> reads, int[] shape) {
    static Line of(String text) {
      List<String> words = new ArrayList<>(List.of(text.replace(", ", ",").split(" ", -1)));
      if (words.size() == 2) {
        return new Line(words.get(0), "null", "", List.of(), Arrays.stream(words.get(1).split(",", -1)).mapToInt(
          Integer::parseInt).toArray());
      }
      return new Line(words.get(0), words.get(1), words.get(2), words.subList(3, words.size()), new int[0]);
    }

    boolean isVariable() {
      return operator.equals("null");
    }

    boolean isState() {
      return name.contains("moving");
    }

    String json(List<String> names) {
      String values = Stream.of(attributes.split(";", -1)).filter(it -> !it.isEmpty()).map(it -> "\"%s\":\"%s\""
        .formatted((Object[]) it.split("=", 2))).collect(Collectors.joining(","));
      String inputs = reads.stream().map(it -> "[%d,0,0]".formatted(names.indexOf(it))).collect(Collectors.joining(
        ","));
      return "{\"op\":\"%s\",\"name\":\"%s\",\"attrs\":{%s},\"inputs\":[%s]}".formatted(operator, name, values, inputs);
    }
  }

  /** MXNet's C interface. */
  private record Library(MxnetLibrary mxnet, Arena scope) {
    void call(String function, Object... arguments) {
      MemoryLayout[] layouts = Arrays.stream(arguments).map(it -> switch (it) {
        case MemorySegment _ -> ADDRESS;
        case Long _ -> JAVA_LONG;
        default -> JAVA_INT;
      }).toArray(MemoryLayout[]::new);
      try {
        int code = (int) Linker.nativeLinker().downcallHandle(mxnet.function(function), FunctionDescriptor.of(JAVA_INT,
          layouts)).invokeWithArguments(arguments);
        assertThat(code).as(function).isZero();
      } catch (Throwable e) {
        throw new AssertionError(function, e);
      }
    }

    /** Calls a function whose last argument is where it puts its answer. */
    MemorySegment create(String function, Object... arguments) {
      MemorySegment answer = scope.allocate(ADDRESS);
      Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = answer;
      call(function, all);
      return answer.get(ADDRESS, 0);
    }

    MemorySegment text(String text) {
      return scope.allocateFrom(text);
    }

    MemorySegment list(List<MemorySegment> values) {
      MemorySegment list = scope.allocate(ADDRESS, Math.max(1, values.size()));
      for (int i = 0; i < values.size(); i++) {
        list.setAtIndex(ADDRESS, i, values.get(i));
      }
      return list;
    }

    float[] values(MemorySegment array, int count) {
      MemorySegment read = scope.allocate(JAVA_FLOAT, count);
      call("MXNDArraySyncCopyToCPU", array, read, (long) count);
      return read.toArray(JAVA_FLOAT);
    }

    MemorySegment array(int[] shape, float[] values) {
      MemorySegment array = create("MXNDArrayCreateEx", scope.allocateFrom(JAVA_INT, shape), shape.length, CPU, 0, 0,
        0);
      call("MXNDArraySyncCopyFromCPU", array, scope.allocateFrom(JAVA_FLOAT, values), (long) values.length);
      return array;
    }
  }

  private static float[] values(Line variable, SplittableRandom random) {
    float[] values = new float[Arrays.stream(variable.shape).reduce(1, Math::multiplyExact)];
    for (int i = 0; i < values.length; i++) {
      double drawn = random.nextDouble(-1, 1);
      values[i] = (float) (variable.name.equals("bn_moving_var") ? 1 + drawn / 2 : drawn);
    }
    return values;
  }

  /** A network in MXNet's library, bound to arrays. */
  private final class Bound {
    private final Library library;
    private final MemorySegment symbol;
    private final MemorySegment executor;
    private final Map<String, MemorySegment> arguments = new LinkedHashMap<>();
    private final Map<String, MemorySegment> states = new LinkedHashMap<>();
    private final Map<String, MemorySegment> gradients = new LinkedHashMap<>();

    /** Arguments without values are labels. */
    Bound(Library library, List<Line> lines, Map<String, float[]> values) {
      this.library = library;
      this.symbol = library.create("MXSymbolCreateFromJSON", library.text(json(lines)));
      for (Line line : lines) {
        if (line.isVariable()) {
          float[] given = values.getOrDefault(line.name, new float[BATCH]);
          (line.isState() ? states : arguments).put(line.name, library.array(line.shape, given));
          if (!line.isState()) {
            gradients.put(line.name, library.array(line.shape, new float[given.length]));
          }
        }
      }
      int[] requests = new int[arguments.size()];
      Arrays.fill(requests, WRITE);
      this.executor = library.create("MXExecutorBindEX", symbol, CPU, 0, 0, MemorySegment.NULL, MemorySegment.NULL,
        MemorySegment.NULL, arguments.size(), library.list(List.copyOf(arguments.values())), library.list(List.copyOf(
          gradients.values())),
        library.scope.allocateFrom(JAVA_INT, requests), states.size(), library.list(List
          .copyOf(states.values())),
        MemorySegment.NULL);
    }

    private static String json(List<Line> lines) {
      List<String> names = lines.stream().map(Line::name).toList();
      String nodes = lines.stream().map(it -> it.json(names)).collect(Collectors.joining(","));
      String variables = lines.stream().filter(Line::isVariable).map(it -> Integer.toString(names.indexOf(it.name)))
        .collect(Collectors.joining(","));
      return "{\"nodes\":[%s],\"arg_nodes\":[%s],\"heads\":[[%d,0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10900]}}"
        .formatted(nodes, variables, lines.size() - 1);
    }

    /** Writes symbol and parameters to files. */
    void write() {
      library.call("MXSymbolSaveToFile", symbol, library.text(folder.resolve("net-symbol.json").toString()));
      Map<String, MemorySegment> saved = new LinkedHashMap<>();
      arguments.forEach((name, array) -> saved.put("arg:" + name, array));
      states.forEach((name, array) -> saved.put("aux:" + name, array));
      saved.keySet().removeAll(List.of("arg:data", "arg:softmax_label"));
      library.call("MXNDArraySave", library.text(folder.resolve("net-0003.params").toString()), saved.size(), library
        .list(List.copyOf(saved.values())), library.list(saved.keySet().stream().map(library::text).toList()));
    }

    float[] forward(boolean training) {
      library.call("MXExecutorForward", executor, training ? 1 : 0);
      MemorySegment outputs = library.create("MXExecutorOutputs", executor, library.scope.allocate(JAVA_INT))
        .reinterpret(ADDRESS.byteSize());
      return library.values(outputs.get(ADDRESS, 0), BATCH * CLASSES);
    }

    /** For each argument, for ones as the gradient of each output. */
    Map<String, float[]> backward(Map<String, float[]> values) {
      float[] ones = new float[BATCH * CLASSES];
      Arrays.fill(ones, 1);
      MemorySegment head = library.array(new int[] {BATCH, CLASSES}, ones);
      library.call("MXExecutorBackwardEx", executor, 1, library.list(List.of(head)), 1);
      Map<String, float[]> found = new LinkedHashMap<>();
      gradients.forEach((name, array) -> found.put(name, library.values(array, Objects.requireNonNull(values.get(name),
        name).length)));
      library.call("MXNDArrayFree", head);
      return found;
    }

    void free() {
      library.call("MXExecutorFree", executor);
      Stream.of(arguments, states, gradients).flatMap(it -> it.values().stream()).forEach(it -> library.call(
        "MXNDArrayFree", it));
      library.call("MXSymbolFree", symbol);
    }
  }

  private static Map<String, float[]> drawn(List<Line> lines, long seed) {
    var random = new SplittableRandom(seed);
    Map<String, float[]> values = new LinkedHashMap<>();
    lines.stream().filter(it -> it.isVariable() && !it.name.equals("softmax_label")).forEach(it -> values.put(it.name,
      values(it, random)));
    return values;
  }

  private static void requireLibrary() {
    assumeTrue(Files.exists(LIBRARY), "skipped: no MXNet library, which `mvn dependency:get` fetches");
  }

  @Test
  void aPairThatMxnetWritesHasItsOutputs() throws IOException {
    requireLibrary();
    List<Line> lines = NETWORK.stream().map(Line::of).toList();
    Map<String, float[]> values = drawn(lines, 1);
    float[] expected;
    try (Arena scope = Arena.ofConfined()) {
      var bound = new Bound(new Library(Loaded.MXNET, scope), lines, values);
      bound.write();
      expected = bound.forward(false);
      bound.free();
    }
    try (Session session = Session.open(folder.resolve("net-symbol.json"));
      Tensor data = Tensor.of(Objects.requireNonNull(values.get("data")), 2, 3, 12, 10);
      var result = session.run(Map.of("data", data))) {
      float[] actual = result.get("softmax_output").toFloatArray();
      assertThat(actual).containsExactly(expected, within(1e-5f));
      assertThat(expected[0]).as("not all alike").isNotCloseTo(expected[1], within(1e-4f));
    }
  }

  /**
   * Compares the gradients of the data and of each parameter. The network ends before the loss, and statistics of the
   * batch play no part.
   */
  @ParameterizedTest
  @ValueSource(longs = {2, 3, 4})
  void gradientsAreThoseOfMxnet(long seed) throws IOException {
    requireLibrary();
    List<Line> lines = NETWORK.subList(0, NETWORK.size() - 2).stream().map(it -> Line.of(it.replace("eps=",
      "use_global_stats=True;eps="))).toList();
    Map<String, float[]> values = drawn(lines, seed);
    Map<String, float[]> expected;
    try (Arena scope = Arena.ofConfined()) {
      var bound = new Bound(new Library(Loaded.MXNET, scope), lines, values);
      bound.write();
      bound.forward(true);
      expected = bound.backward(values);
      bound.free();
    }
    assertThat(expected).hasSize(8);
    Graph graph = MxnetModel.load(folder.resolve("net"), 3).graph();
    GradientGraph gradients = Gradients.DEFAULT.of(graph, Map.of("data", TensorType.of(DType.FLOAT32, 2, 3, 12, 10)),
      List.of("fc_output"), List.copyOf(expected.keySet()));
    try (Session session = Session.of(gradients.withOutputs(), SessionOptions.DEFAULT);
      Tensor data = Tensor.of(Objects.requireNonNull(values.get("data")), 2, 3, 12, 10);
      var result = session.run(Map.of("data", data))) {
      expected.forEach((name, wanted) -> {
        float largest = 0;
        for (float one : wanted) {
          largest = Math.max(largest, Math.abs(one));
        }
        assertThat(largest).as(name).isPositive();
        assertThat(result.get(name + "/gradient").toFloatArray()).as(name).containsExactly(wanted, within(1e-5f
          * Math.max(1, largest)));
      });
    }
  }
}
