package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import dev.cairn.runtime.tensorfile.NpyFile;
import dev.cairn.runtime.tensorfile.NpzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Everything that can be wrong with what a user gives: the right exit code, and three lines. */
class BadInputTest {
  private static final long[] PAIR = {1, 3};

  @TempDir
  private Path folder;

  private Path array(String name, TensorView view) throws IOException {
    NpyFile.write(view, folder.resolve(name));
    return folder.resolve(name);
  }

  @Test
  void aTruncatedFile() throws IOException {
    byte[] whole = Files.readAllBytes(SmallModels.fixed(folder, 1, 2, 3));
    for (int length : new int[] {0, 1, 10, whole.length / 2, whole.length - 1}) {
      Path cut = Files.write(folder.resolve("cut.onnx"), Arrays.copyOf(whole, length));
      for (String verb : new String[] {"run", "plan", "ops"}) {
        Outcome outcome = Outcome.of(verb, cut).failedWith(ExitCode.INVALID_MODEL, "cut.onnx");
        assertThat(outcome.out()).isEmpty();
      }
    }
  }

  /** The file is whole: what is wrong is one node. */
  @Test
  void aNodeThatBreaksARuleIsToBeFixed() throws IOException {
    var hint = StringStringEntryProto.newBuilder().setKey("cairn.repeat").setValue("never");
    var twice = SmallModels.node("y = Relu(x)").toBuilder().addMetadataProps(hint).addMetadataProps(hint).build();
    Path model = SmallModels.save(folder, SmallModels.graph(PAIR).addNode(twice));
    Outcome.of("run", model).failedWith(ExitCode.INVALID_MODEL, "two entries of metadata have one key", "node=node_y",
      "fix the model at this node");
  }

  /** Names and types in the headers decide before elements are read: these are damaged, which is not said. */
  @Test
  void valuesOfAnotherTypeAreRefusedByTheirHeaders() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    for (String name : List.of("x", "z")) {
      Path file = folder.resolve(name + ".npz");
      NpzFile.write(Map.of(name, TensorView.ofFloats(Shape.of(7, 1), 1, 1, 1, 1, 1, 1, 1)), file);
      byte[] bytes = Files.readAllBytes(file);
      for (int i = 3; i < bytes.length; i++) {
        if (bytes[i] == 0x3F && bytes[i - 1] == (byte) 0x80 && bytes[i - 2] == 0) {
          bytes[i]++;
        }
      }
      Files.write(file, bytes);
      for (String verb : List.of("run", "bench", "plan")) {
        Outcome.of(verb, model, "--load-inputs", file).failedWith(ExitCode.USAGE, name.equals("x")
          ? "an input does not match its declared type"
          : "no such input: input=z");
      }
    }
  }

  @Test
  void noFileOrNoModel() throws IOException {
    Outcome.of("run", folder.resolve("none.onnx")).failedWith(ExitCode.INVALID_MODEL, "no such", "none.onnx",
      "cairn zoo");
    Outcome.of("inspect", folder.resolve("none.onnx")).failedWith(ExitCode.INVALID_MODEL, "none.onnx");
    for (String verb : new String[] {"run", "plan", "inspect", "bench", "ops"}) {
      Outcome.of(verb, folder).failedWith(ExitCode.INVALID_MODEL, "the path is a folder, not a file", "cairn zoo");
      Outcome.of(verb, "").failedWith(ExitCode.INVALID_MODEL, "the path is a folder, not a file");
    }
    Outcome.of("run", Files.writeString(folder.resolve("a.txt"), "text")).failedWith(ExitCode.INVALID_MODEL,
      "[ONNX, MXNet]");
    Outcome.of("run", Files.writeString(folder.resolve("a.onnx"), "<html>")).failedWith(ExitCode.INVALID_MODEL,
      "damaged");
    Outcome.of("run", "resnet5").failedWith(ExitCode.INVALID_MODEL, "resnet5");
    Outcome.of("zoo", "resnet5").failedWith(ExitCode.USAGE, "resnet5", "resnet50");
  }

  @Test
  void aCyclicGraph() throws IOException {
    Path model = SmallModels.save(folder, SmallModels.graph(PAIR, "a = Add(x, b)", "b = Relu(a)", "y = Relu(b)"));
    Outcome.of("run", model).failedWith(ExitCode.INVALID_MODEL, "cycle", "node_");
  }

  @Test
  void aGraphThatReadsWhatNothingMakes() throws IOException {
    Path model = SmallModels.save(folder, SmallModels.graph(PAIR, "y = Add(x, nowhere)"));
    Outcome.of("run", model).failedWith(ExitCode.INVALID_MODEL, "nowhere");
  }

  @Test
  void shapesWithinTheModelThatDoNotFit() throws IOException {
    Path model = SmallModels.save(folder, SmallModels.graph(PAIR, "y = MatMul(x, x)"));
    Outcome.of("run", model).failedWith(ExitCode.INVALID_MODEL, "MatMul", "node_y");
    Outcome.of("plan", model).failedWith(ExitCode.INVALID_MODEL, "node_y");
    Outcome.of("ops", model).failedWith(ExitCode.INVALID_MODEL, "node_y");
  }

  @Test
  void aWeightOfTheWrongLengthOrFromAFileThatIsNotThere() throws IOException {
    var graph = SmallModels.graph(PAIR, "y = Add(x, w)");
    Outcome.of("run", SmallModels.save(folder, graph.clone().addInitializer(SmallModels.shortWeight("w")))).failedWith(
      ExitCode.INVALID_MODEL, "w");
    Path missing = SmallModels.save(folder,
      graph.clone().addInitializer(SmallModels.externalWeight("w", "weights.bin")));
    Outcome.of("run", missing).failedWith(ExitCode.INVALID_MODEL, "weights.bin");
    Files.write(folder.resolve("weights.bin"), new byte[5]);
    Outcome.of("run", missing).failedWith(ExitCode.INVALID_MODEL, "too short", "tensor=w", "fileBytes=5");
    Files.write(folder.resolve("weights.bin"), new byte[12]);
    Outcome.ok("run", missing);
    Path outside = SmallModels.save(folder, graph.clone().addInitializer(SmallModels.externalWeight("w", "../x.bin")));
    Outcome.of("run", outside).failedWith(ExitCode.INVALID_MODEL, "../x.bin");
  }

  @Test
  void weightsOfNothingButNan() throws IOException {
    Path model = SmallModels.fixed(folder, Float.NaN, Float.NaN, Float.NaN);
    Outcome.of("run", model).failedWith(ExitCode.INVALID_MODEL, "all elements of a weight are NaN", "node=w");
  }

  @Test
  void allUnknownOperatorsWithAllTheirNodes() throws IOException {
    Path model = SmallModels.save(folder,
      SmallModels.graph(PAIR, "a = Frobnicate(x)", "b = Relu(a)", "c = Frobnicate(b)",
        "d = Quux(c)", "y = Frobnicate(d)"));
    Outcome outcome = Outcome.of("run", model).failedWith(ExitCode.UNSUPPORTED, "at 4 nodes",
      "Frobnicate (no such operator) at node_a, node_c, node_y; Quux (no such operator) at node_d");
    assertThat(outcome.out()).isEmpty();
    Outcome ops = Outcome.of("ops", model, "--format", "json").failedWith(ExitCode.UNSUPPORTED, "node_d");
    JsonNode gaps = Outcome.parse(ops.out()).get("gaps");
    assertThat(gaps.size()).isEqualTo(4);
    assertThat(gaps.get(3).toString()).isEqualTo(
      "{\"node\":\"node_y\",\"operator\":\"Frobnicate\",\"reason\":\"no such operator\"}");
    assertThat(Outcome.of("ops", model, "--nodes").out().lines()).hasSize(5);
    assertThat(Outcome.of("ops", model).out().lines()).hasSize(3).element(1).asString().matches(
      "3 +Frobnicate +no such operator +node_a");
    assertThat(Outcome.ok("inspect", model)).as("can be looked at all the same").containsPattern("Frobnicate +3");
  }

  @Test
  void hundredsOfGapsAreCountedAndTheFirstNamed() throws IOException {
    String[] nodes = IntStream.range(0, 300)
      .mapToObj(i -> (i == 299 ? "y" : "n" + i) + " = Nope(" + (i == 0
        ? "x"
        : "n" + (i
          - 1))
        + ")")
      .toArray(String[]::new);
    Path model = SmallModels.save(folder, SmallModels.graph(PAIR, nodes));
    Outcome outcome = Outcome.of("run", model).failedWith(ExitCode.UNSUPPORTED, "at 300 nodes",
      "Nope (no such operator) at 300 nodes, first at node_n0, node_n1, node_n2");
    assertThat(outcome.err()).hasSizeLessThan(500);
    assertThat(Outcome.of("ops", model, "--nodes").out()).contains("node_n0 ", "node_n150 ", "node_y ");
  }

  /** The table, what is left out and the three lines of the failure. */
  @Test
  void opsFitsAScreenWhateverTheModel() throws IOException {
    String[] nodes = IntStream.range(0, 300).mapToObj(i -> "%s = %s%d(x)".formatted(i == 299 ? "y" : "n" + i, "Nope"
      .repeat(i % 3 * 50 + 1), i % 30)).toArray(String[]::new);
    Path model = SmallModels.save(folder, SmallModels.graph(PAIR, nodes));
    Outcome outcome = Outcome.of("ops", model).failedWith(ExitCode.UNSUPPORTED, "at 300 nodes");
    assertThat(outcome.out().lines().toList()).hasSize(12).allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(
      150)).last().asString().startsWith("and 20 other kinds: --nodes lists every node");
    assertThat(Outcome.of("ops", model, "--nodes").out().lines()).hasSize(301);
  }

  @Test
  void anInputOfAnotherShape() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    Outcome.of("run", model, "--shapes", "x:2x4").failedWith(ExitCode.USAGE, "float32[2x3]", "float32[2x4]");
    Outcome.of("plan", model, "--shapes", "x:6").failedWith(ExitCode.USAGE, "float32[2x3]", "float32[6]");
    Path wrong = array("wrong.npy", TensorView.ofFloats(Shape.of(3, 2), 1, 2, 3, 4, 5, 6));
    Outcome.of("run", model, "--load-inputs", "x:" + wrong).failedWith(ExitCode.USAGE, "float32[2x3]", "float32[3x2]");
    Path open = SmallModels.open(folder);
    Outcome.of("run", open).failedWith(ExitCode.USAGE, "open", "--shapes x:1x3");
    Path right = array("right.npy", TensorView.ofFloats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6));
    Outcome.of("run", open, "--shapes", "x:4x3", "--load-inputs", "x:" + right).failedWith(ExitCode.USAGE, "4x3",
      "2x3");
    Outcome.of("run", open, "--shapes", "x:4x3", "--shapes", "x:2x3").failedWith(ExitCode.USAGE, "two shapes", "x");
  }

  @Test
  void anInputOfAnotherTypeOrName() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    Path longs = array("longs.npy", TensorView.ofLongs(1, 2, 3, 4, 5, 6).reshaped(Shape.of(2, 3)));
    Outcome.of("run", model, "--load-inputs", "x:" + longs).failedWith(ExitCode.USAGE, "float32[2x3]", "int64[2x3]");
    Path right = array("right.npy", TensorView.ofFloats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6));
    Outcome.of("run", model, "--load-inputs", "z:" + right).failedWith(ExitCode.USAGE, "input=z", "[x]");
    for (String verb : new String[] {"run", "plan", "inspect", "bench", "ops"}) {
      Outcome.of(verb, model, "--shapes", "z:2x3").failedWith(ExitCode.USAGE, "input=z", "[x]");
    }
    Outcome.of("run", model, "--load-ref-outputs", "x:" + right).failedWith(ExitCode.USAGE, "output=x", "[y]");
    Outcome.of("run", model, "--load-inputs", "x:" + right, "--load-inputs", "x:" + right).failedWith(ExitCode.USAGE,
      "two files", "x");
  }

  @Test
  void arraysThatAreNone() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    Path text = Files.writeString(folder.resolve("text.npy"), "this is no array");
    Outcome.of("run", model, "--load-inputs", "x:" + text).failedWith(ExitCode.USAGE, "not a NumPy array", "text.npy");
    Outcome.of("run", model, "--load-inputs", "x:" + folder.resolve("none.npy")).failedWith(ExitCode.OTHER, "none.npy");
    Outcome.of("run", model, "--load-inputs", "x:" + folder).failedWith(ExitCode.OTHER, "a folder instead of a file");
    Outcome.of("run", model, "--load-ref-outputs", "y:" + folder).failedWith(ExitCode.OTHER,
      "a folder instead of a file");
    Outcome.of("bench", model, "--baseline", folder).failedWith(ExitCode.OTHER, "a folder instead of a file");
    Outcome.of("run", model, "--load-inputs", "x").failedWith(ExitCode.USAGE, "--load-inputs", "input:values.npy");
  }

  @Test
  void aReferenceOfAnotherTypeOrOtherValues() throws IOException {
    Path model = SmallModels.fixed(folder, 1, 2, 3);
    Path other = array("other.npy", TensorView.ofFloats(Shape.of(3, 2), 1, 2, 3, 4, 5, 6));
    Outcome.of("run", model, "--load-ref-outputs", "y:" + other).failedWith(ExitCode.COMPARISON_FAILED, "float32[2x3]",
      "float32[3x2]");
  }

  @Test
  void aBatchOfNone() throws IOException {
    Outcome.of("run", SmallModels.open(folder), "--shapes", "x:0x3").failedWith(ExitCode.USAGE, "at least 1", "x:0x3");
    Path none = array("none.npy", TensorView.ofFloats(Shape.of(0, 3)));
    Outcome.of("run", SmallModels.open(folder), "--load-inputs", "x:" + none).failedWith(ExitCode.USAGE, "empty",
      "[0x3]");
    Path model = SmallModels.save(folder, SmallModels.graph(new long[] {0, 3}, "y = Relu(x)"));
    for (String verb : new String[] {"run", "plan", "ops"}) {
      Outcome.of(verb, model).failedWith(ExitCode.INVALID_MODEL, "empty", "float32[0x3]");
    }
  }

  @Test
  void tooLittleMemory() {
    Outcome.of("run", "mlp", "--memory-limit", "1KiB").failedWith(ExitCode.OUT_OF_MEMORY, "weights", "limitBytes=1024");
    Outcome.of("run", "mlp", "--memory-limit", "0").failedWith(ExitCode.OUT_OF_MEMORY, "bytesShort=");
    Outcome plan = Outcome.of("plan", "mlp", "--memory-limit", "1KiB", "--format", "json").failedWith(
      ExitCode.OUT_OF_MEMORY, "limit 1.0 KiB", "raise --memory-limit");
    assertThat(Outcome.parse(plan.out()).get("fits").asBoolean()).isFalse();
  }

  @Test
  void shapesBeyondAllMemory() throws IOException {
    Path model = SmallModels.open(folder);
    Outcome.of("run", model, "--shapes", "x:99999999999x3").failedWith(ExitCode.OUT_OF_MEMORY, "CAIRN_JVM_OPTIONS");
    Outcome.of("plan", model, "--shapes", "x:4611686018427387904x3").failedWith(ExitCode.USAGE, "too many bytes");
  }

  @Test
  void aGpuWhereThereIsNone() {
    String nowhere = folder.resolve("libcuda.so.1").toString();
    Outcome.of("run", "mlp", "--require-gpu", "--cuda-driver", nowhere).failedWith(ExitCode.MACHINE_LACKS, "driver");
    for (String verb : new String[] {"run", "bench", "plan", "compare"}) {
      Outcome named = Outcome.of(verb, "mlp", "--device", "cuda:0", "--cuda-driver", nowhere);
      // A run names its model before it opens the device.
      assertThat(named.failedWith(ExitCode.MACHINE_LACKS, "driver", "cairn doctor").out().lines()).allMatch(
        it -> verb.equals("run") && it.startsWith("model "));
      assertThat(Outcome.ok(verb, "mlp", "--device", "auto", "--cuda-driver", nowhere)).contains("(no GPU: ");
    }
    Outcome.of("run", "mlp", "--device", "sim").failedWith(ExitCode.MACHINE_LACKS, "the CUDA simulator is missing",
      "CAIRN_SIMULATOR");
    Outcome.in(Map.of("CAIRN_SIMULATOR", "/no/such"), "run", "mlp", "--device", "sim").failedWith(
      ExitCode.MACHINE_LACKS, "CAIRN_SIMULATOR=/no/such", "native-tests/simulator/build.sh");
    Outcome.of("run", "mlp", "--device", "tpu").failedWith(ExitCode.USAGE, "device=tpu");
    assertThat(Outcome.ok("run", "mlp", "--device", "cpu", "--iterations", 1)).contains("(as asked for)");
  }

  @Test
  void aPlaceThatCannotBeWritten() {
    Outcome.of("zoo", "mlp", "-o", folder.resolve("no/such/folder/mlp.onnx")).failedWith(ExitCode.OTHER,
      "no/such/folder",
      "check the path");
  }

  @ParameterizedTest
  @ValueSource(strings = {"walk", "run --nope", "run a b", "run --iterations 0", "run --iterations x",
    "run --warmup -1",
    "run --percentile 101", "run --percentile 50,x", "run --rtol -1", "run --atol NaN", "run --duration -2",
    "run --threads 0", "run --streams 0", "run --streams 65", "run --stream-memory 0.9",
    "run --memory-limit lots", "run --memory-growth best", "run --memory-collection rarely", "run --memory-trim soon",
    "run --memory-guard much", "run --planner best", "run --precision float8", "run --format xml", "run --shapes x",
    "run --shapes x:1xx3", "run --seed one", "zoo mlp --batch -1", "plan --iterations 3",
    "version now"})
  void aCommandLineThatMakesNoSense(String arguments) {
    Outcome outcome = Outcome.of((Object[]) arguments.split(" ", -1));
    outcome.failedWith(ExitCode.USAGE, "invalid command line", "see 'cairn help");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void aStackTraceOnlyWhenAskedFor() {
    Outcome quiet = Outcome.of("run", "none.onnx");
    Outcome verbose = Outcome.of("run", "none.onnx", "-v");
    assertThat(verbose.code()).isEqualTo(quiet.code());
    assertThat(verbose.err()).startsWith(quiet.err()).contains("InvalidModel", "\tat dev.cairn.");
    assertThat(Outcome.of("run", "none.onnx", "--quiet")).isEqualTo(quiet);
  }
}
