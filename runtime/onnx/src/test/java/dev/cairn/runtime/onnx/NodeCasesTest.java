package dev.cairn.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.InvalidModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every operator case of the ONNX standard, as far as reading and writing go. */
class NodeCasesTest {
  private static final OperatorTable OPERATORS = StandardOperators.table();
  /**
   * Beginnings of the names of cases that are written with random numbers. ONNX Runtime has no kernel for these at
   * opset 22.
   */
  private static final List<String> RANDOM = List.of("test_bernoulli", "test_training_dropout");
  /**
   * Beginnings of the names of cases whose own models ONNX Runtime computes otherwise: it rounds resized extents,
   * unpools row by row, and multiplies the factors of Fourier transforms with each other.
   */
  private static final List<String> OTHERWISE = List.of("test_dft", "test_maxunpool_export_with_output_shape",
    "test_resize_downsample_scales_cubic_align_corners", "test_resize_downsample_scales_linear_align_corners",
    "test_stft");
  private static SortedMap<String, SortedMap<String, byte[]>> cases;

  @TempDir
  private Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    Path archive = Models.shared("onnx-node/onnx-node-v1.22.0.tar.gz").orElse(Path.of(""));
    assumeTrue(!archive.toString().isEmpty(), "skipped: no data");
    cases = NodeCases.read(archive);
  }

  @Test
  void archiveIsWhole() {
    assertEquals(1765, cases.size());
    assertEquals(7794, cases.values().stream().mapToInt(Map::size).sum());
  }

  @Test
  void everyModelIsReadOrSaysWhatIsMissing() throws IOException {
    int read = 0;
    for (var one : cases.entrySet()) {
      try {
        read(one.getValue());
        read++;
      } catch (UnsupportedOperators e) {
        assertTrue(!e.gaps().isEmpty(), one.getKey());
      }
    }
    assertTrue(read >= 650, "models read: " + read);
  }

  @Test
  void everyTensorIsReadOrSaysWhatIsMissing() throws IOException {
    int read = 0;
    for (var one : cases.entrySet()) {
      for (var file : one.getValue().entrySet()) {
        if (file.getKey().endsWith(".pb")) {
          try {
            OnnxTensors.read(Models.anew(folder.resolve("tensor.pb"), file.getValue()));
            read++;
          } catch (UnsupportedOperators | InvalidModel e) {
            // Text, small floats, and messages that are sequences.
            assertTrue(e.getMessage() != null, one.getKey());
          }
        }
      }
    }
    assertTrue(read >= 5600, "tensors read: " + read);
  }

  /** Reading, upgrading and writing change nothing: ONNX Runtime computes the expected output from the file written. */
  @Test
  void everyModelReadMeansTheSameWhenWritten() throws IOException {
    List<String> wrong = new ArrayList<>();
    int same = 0;
    int notRun = 0;
    int refused = 0;
    for (var one : cases.entrySet()) {
      if (RANDOM.stream().anyMatch(one.getKey()::startsWith) || OTHERWISE.stream().anyMatch(one
        .getKey()::startsWith)) {
        continue;
      }
      try {
        Graph graph = read(one.getValue());
        if (graph.nodes().stream().anyMatch(node -> node.kind() instanceof NodeKind.Control)) {
          refused += isRefused(graph, one.getValue()) ? 1 : 0;
          continue;
        }
        String difference = difference(graph, one.getValue());
        same += difference.isEmpty() ? 1 : 0;
        if (!difference.isEmpty()) {
          wrong.add(one.getKey() + ": " + difference);
        }
      } catch (OrtException | UnsupportedOperationException e) {
        if (runsAsGiven(one.getValue())) {
          wrong.add(one.getKey() + ": " + e.getMessage());
        }
        notRun++;
      } catch (UnsupportedOperators | InvalidModel e) {
        notRun++;
      }
    }
    assertTrue(wrong.isEmpty(), wrong.size() + " of " + cases.size() + ":\n" + String.join("\n", wrong));
    assertTrue(refused >= 12, "models with control flow, which the writer refuses: " + refused);
    assertTrue(same >= 600, "same=%d notRun=%d".formatted(same, notRun));
  }

  /** False where an output is no tensor, so that there is nothing to compare with. */
  private boolean isRefused(Graph graph, SortedMap<String, byte[]> files) throws IOException, OrtException {
    try {
      String difference = difference(graph, files);
      throw new AssertionError(
        "a model with control flow was written: graph=%s %s".formatted(graph.name(), difference));
    } catch (IllegalArgumentException e) {
      return true;
    } catch (UnsupportedOperators | InvalidModel e) {
      return false;
    }
  }

  private Graph read(SortedMap<String, byte[]> files) throws IOException {
    return OnnxReader.read(Models.anew(folder.resolve("model.onnx"), model(files)), OPERATORS);
  }

  private static byte[] model(SortedMap<String, byte[]> files) {
    byte[] model = files.get("model.onnx");
    if (model == null) {
      throw new AssertionError("a case has a model");
    }
    return model;
  }

  private String difference(Graph graph, SortedMap<String, byte[]> files) throws IOException, OrtException {
    List<TensorView> expected = tensors(files, "output");
    Path written = folder.resolve("written.onnx");
    Files.deleteIfExists(written);
    OnnxWriter.write(graph, expected.stream().map(view -> DeclaredType.of(view.type())).toList(), written);
    List<TensorView> results = Oracle.run(written, inputs(graph, files));
    for (int i = 0; i < expected.size(); i++) {
      if (!expected.get(i).type().equals(results.get(i).type())) {
        return "type of output %d: %s instead of %s".formatted(i, results.get(i).type(), expected.get(i).type());
      }
      if (expected.get(i).dtype() == DType.STRING) {
        // ONNX Runtime writes numbers with fewer digits than the cases have.
        String[] own = StringElements.toArray(Oracle.run(folder.resolve("model.onnx"), inputs(graph, files)).get(i));
        String[] given = StringElements.toArray(results.get(i));
        if (!Arrays.equals(own, given)) {
          return "output %d: %s instead of %s".formatted(i, Arrays.toString(given), Arrays.toString(own));
        }
        continue;
      }
      for (long at = 0; at < expected.get(i).elementCount(); at++) {
        double wanted = expected.get(i).doubleAt(at);
        double given = results.get(i).doubleAt(at);
        if (Double.compare(wanted, given) != 0 && !(Math.abs(wanted - given) <= 1e-3 * Math.abs(wanted) + 1e-5)) {
          return "element %d of output %d: %s instead of %s".formatted(at, i, given, wanted);
        }
      }
    }
    return "";
  }

  private Map<String, TensorView> inputs(Graph graph, SortedMap<String, byte[]> files) throws IOException {
    List<TensorView> given = tensors(files, "input");
    Map<String, TensorView> inputs = new LinkedHashMap<>();
    for (int i = 0; i < graph.inputs().size(); i++) {
      inputs.put(graph.inputs().get(i).name(), given.get(i));
    }
    return inputs;
  }

  private List<TensorView> tensors(SortedMap<String, byte[]> files, String kind) throws IOException {
    List<TensorView> views = new ArrayList<>();
    for (byte[] file = first(files, kind); file != null; file = files.get(name(kind, views.size()))) {
      views.add(OnnxTensors.read(Models.anew(folder.resolve(kind + views.size() + ".pb"), file)));
    }
    return views;
  }

  private static byte @Nullable [] first(SortedMap<String, byte[]> files, String kind) {
    return files.get(name(kind, 0));
  }

  private static String name(String kind, int number) {
    return "test_data_set_0/" + kind + "_" + number + ".pb";
  }

  /** Whether ONNX Runtime runs the case's own model: not all are of types or opsets that it has. */
  private boolean runsAsGiven(SortedMap<String, byte[]> files) throws IOException {
    try {
      Path file = Models.anew(folder.resolve("given.onnx"), model(files));
      Oracle.run(file, inputs(OnnxReader.read(file, OPERATORS), files));
      return true;
    } catch (OrtException | UnsupportedOperationException e) {
      return false;
    }
  }
}
