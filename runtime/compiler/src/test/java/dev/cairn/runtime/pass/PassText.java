package dev.cairn.runtime.pass;

import dev.cairn.kernels.cpu.access.HalfNumber;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notation;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text form of a graph, with values for its constants:
 *
 * <pre>
 * x = input float32[2x3]
 * s = constant int64:[3,2]
 * w = constant float32:[1,2] as 2x1
 * r = constant random float32[4x3]         numbers between 0.5 and 1.5, drawn by the constant's name
 * y = Split{axis=1}(x, _, s) -> 2
 * z = Relu(y) # ctx_group=dev1           notes
 * return a=y, b=y:1
 * </pre>
 */
public final class PassText {
  private static final Pattern USE = Pattern.compile("(\\w+)(\\{.*\\})?\\((.*)\\)(?: -> (\\d+))?");

  private final Map<String, Node> nodes = new HashMap<>();
  private final List<Node> inputs = new ArrayList<>();

  private PassText() {}

  public static Graph graph(String text) {
    var reader = new PassText();
    for (String line : text.strip().lines().toList()) {
      if (line.startsWith("return ")) {
        List<Graph.Output> outputs = Notation.splitAtCommas(line.substring(7)).stream().map(reader::output).toList();
        return new Graph("test", reader.inputs, outputs);
      }
      reader.read(line.strip());
    }
    throw new IllegalArgumentException("no return: " + text);
  }

  /** The types of a graph whose inputs declare every extent. */
  public static GraphTypes types(Graph graph, ValueEvaluator evaluator) {
    return new TypeInference(StandardOperators.table(), evaluator).infer(graph, GraphFixture.inputTypes(graph));
  }

  /** The graph after one pass, as text; the pass gets types as its manager would give them. */
  public static String after(Pass pass, String text) {
    return run(pass, graph(text)).toString();
  }

  /** Whether the pass leaves this graph as it is: the very same object. */
  public static boolean leaves(Pass pass, String text) {
    Graph graph = graph(text);
    return run(pass, graph) == graph;
  }

  private static Graph run(Pass pass, Graph graph) {
    return new PassManager(g -> types(g, ValueEvaluator.NONE)).run(graph, List.of(pass)).graph();
  }

  private void read(String line) {
    int notes = line.indexOf(" # ");
    if (notes >= 0) {
      read(line.substring(0, notes));
      String name = line.substring(0, line.indexOf(" = "));
      nodes.computeIfPresent(name, (_, node) -> node.withNotes(Notes.of(notes(line.substring(notes + 3)))));
      return;
    }
    String[] parts = line.split(" = ", 2);
    String name = parts[0];
    String rest = parts[1];
    if (rest.startsWith("input ")) {
      Node node = Node.input(name, Notation.declaredType(rest.substring(6)));
      inputs.add(node);
      nodes.put(name, node);
    } else if (rest.startsWith("constant ")) {
      nodes.put(name, Node.constant(name, value(name, rest.substring(9))));
    } else {
      nodes.put(name, use(name, rest));
    }
  }

  private static Map<String, String> notes(String text) {
    Map<String, String> notes = new HashMap<>();
    for (String note : text.split(", ", -1)) {
      notes.put(note.split("=", 2)[0], note.split("=", 2)[1]);
    }
    return notes;
  }

  private static TensorView value(String name, String text) {
    if (text.startsWith("random ")) {
      return random(name, Notation.type(text.substring(7)));
    }
    String[] parts = text.split(" as ", 2);
    TensorView flat = Notation.value(parts[0]);
    return parts.length == 1 ? flat : flat.reshaped(Notation.type("float32[" + parts[1] + "]").shape());
  }

  /** Numbers between 0.5 and 1.5 that depend on nothing but the name and the type. */
  public static TensorView random(String name, TensorType type) {
    var random = new Random(name.hashCode());
    float[] values = new float[Math.toIntExact(type.shape().elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.5f + random.nextFloat();
    }
    if (!type.dtype().isHalf()) {
      return new TensorView(type, MemorySegment.ofArray(values));
    }
    MemorySegment halves = MemorySegment.ofArray(new short[values.length]);
    HalfNumber.narrow(type.dtype(), MemorySegment.ofArray(values), halves, 0, values.length);
    return new TensorView(type, halves);
  }

  private Node use(String name, String text) {
    Matcher matcher = USE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a use of an operator: " + text);
    }
    String attributes = matcher.group(2) == null ? "" : matcher.group(2);
    int outputs = matcher.group(4) == null ? 1 : Integer.parseInt(matcher.group(4));
    var kind = new NodeKind.Apply(matcher.group(1), Notation.attributes(attributes), outputs);
    return Node.apply(name, kind, Notation.splitAtCommas(matcher.group(3)).stream().map(this::entry).toList());
  }

  private Graph.Output output(String text) {
    String[] parts = text.split("=", 2);
    return new Graph.Output(parts[0], entry(parts[1]));
  }

  private NodeEntry entry(String text) {
    if (text.equals("_")) {
      return Node.absent();
    }
    String[] parts = text.split(":", 2);
    Node node = nodes.get(parts[0]);
    if (node == null) {
      throw new IllegalArgumentException("no such node: " + text);
    }
    return node.entries().get(parts.length == 1 ? 0 : Integer.parseInt(parts[1]));
  }
}
