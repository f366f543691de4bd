package dev.cairn.conformance;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.benchmarks.mxnet.MxnetLibrary;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.Tensor;
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

/**
 * A model that MXNet 1.9.1's own library writes, as symbol and parameters, and its outputs beside Cairn's. The library
 * is looked for where Maven puts it.
 */
class MxnetPairTest {
  private static final Path LIBRARY = Path.of(System.getProperty("user.home"),
    ".m2/repository/ai/djl/mxnet/mxnet-native-mkl/1.9.1/mxnet-native-mkl-1.9.1-linux-x86_64.jar");
  private static final int CPU = 1;
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

  /** Writes the pair, and returns what MXNet computes. */
  private float[] written(Library library, List<Line> lines, Map<String, float[]> values) {
    List<String> names = lines.stream().map(Line::name).toList();
    String json = lines.stream().map(it -> it.json(names)).collect(Collectors.joining(",", "{\"nodes\":[", "]")) + lines
      .stream().filter(Line::isVariable).map(it -> Integer.toString(names.indexOf(it.name))).collect(Collectors.joining(
        ",", ",\"arg_nodes\":[", "]"))
      + ",\"heads\":[[%d,0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10900]}}"
        .formatted(lines.size() - 1);
    MemorySegment symbol = library.create("MXSymbolCreateFromJSON", library.text(json));
    library.call("MXSymbolSaveToFile", symbol, library.text(folder.resolve("net-symbol.json").toString()));
    List<MemorySegment> arguments = new ArrayList<>();
    List<MemorySegment> states = new ArrayList<>();
    List<MemorySegment> saved = new ArrayList<>();
    List<MemorySegment> keys = new ArrayList<>();
    for (Line line : lines) {
      if (line.isVariable()) {
        MemorySegment array = library.array(line.shape, values.getOrDefault(line.name, new float[BATCH]));
        (line.isState() ? states : arguments).add(array);
        if (!line.name.equals("data") && !line.name.equals("softmax_label")) {
          saved.add(array);
          keys.add(library.text((line.isState() ? "aux:" : "arg:") + line.name));
        }
      }
    }
    library.call("MXNDArraySave", library.text(folder.resolve("net-0003.params").toString()), saved.size(), library
      .list(saved), library.list(keys));
    MemorySegment executor = library.create("MXExecutorBindEX", symbol, CPU, 0, 0, MemorySegment.NULL,
      MemorySegment.NULL, MemorySegment.NULL, arguments.size(), library.list(arguments), library.list(arguments.stream()
        .map(_ -> MemorySegment.NULL).toList()),
      library.scope.allocate(JAVA_INT, arguments.size()), states.size(),
      library.list(states), MemorySegment.NULL);
    library.call("MXExecutorForward", executor, 0);
    MemorySegment outputs = library.create("MXExecutorOutputs", executor, library.scope.allocate(JAVA_INT)).reinterpret(
      ADDRESS.byteSize());
    MemorySegment read = library.scope.allocate(JAVA_FLOAT, BATCH * CLASSES);
    library.call("MXNDArraySyncCopyToCPU", outputs.get(ADDRESS, 0), read, (long) BATCH * CLASSES);
    library.call("MXExecutorFree", executor);
    Stream.concat(arguments.stream(), states.stream()).forEach(it -> library.call("MXNDArrayFree", it));
    library.call("MXSymbolFree", symbol);
    return read.toArray(JAVA_FLOAT);
  }

  @Test
  void aPairThatMxnetWritesHasItsOutputs() throws IOException {
    assumeTrue(Files.exists(LIBRARY), "skipped: no MXNet library, which `mvn dependency:get` fetches");
    List<Line> lines = NETWORK.stream().map(Line::of).toList();
    var random = new SplittableRandom(1);
    Map<String, float[]> values = new LinkedHashMap<>();
    lines.stream().filter(it -> it.isVariable() && !it.name.equals("softmax_label")).forEach(it -> values.put(it.name,
      values(it, random)));
    float[] expected;
    try (Arena scope = Arena.ofConfined()) {
      expected = written(new Library(MxnetLibrary.load(LIBRARY), scope), lines, values);
    }
    try (Session session = Session.open(folder.resolve("net-symbol.json"));
      Tensor data = Tensor.of(Objects.requireNonNull(values.get("data")), 2, 3, 12, 10);
      var result = session.run(Map.of("data", data))) {
      float[] actual = result.get("softmax_output").toFloatArray();
      assertThat(actual).hasSameSizeAs(expected);
      for (int i = 0; i < actual.length; i++) {
        assertThat(actual[i]).as("element %d", i).isCloseTo(expected[i], within(1e-5f));
      }
      assertThat(expected[0]).as("not all alike").isNotCloseTo(expected[1], within(1e-4f));
    }
  }
}
