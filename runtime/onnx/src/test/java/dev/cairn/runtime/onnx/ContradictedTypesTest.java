package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.node;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.OptionalInputs;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * A type that a file declares, and that values contradict, is no reason to refuse it: each declared type of valid
 * models is changed, and what ONNX Runtime runs then, Cairn runs with the same values.
 */
class ContradictedTypesTest {
  @TempDir
  private Path folder;

  /** A valid model and its operands. */
  private record Base(String name, ModelProto model, Map<String, TensorView> inputs) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A way to change a declared type. */
  private record Change(String name, Consumer<TypeProto.Tensor.Builder> apply) {}

  private static final List<Change> CHANGES = List.of(
    new Change("another axis", type -> type.getShapeBuilder().addDimBuilder().setDimValue(7)),
    new Change("no axis", type -> type.getShapeBuilder().clearDim()),
    new Change("one axis less", type -> {
      if (type.getShape().getDimCount() > 0) {
        type.getShapeBuilder().removeDim(type.getShape().getDimCount() - 1);
      }
    }),
    new Change("other extents", type -> type.getShapeBuilder().getDimBuilderList().forEach(it -> it.setDimValue(5))),
    new Change("one name", type -> type.getShapeBuilder().getDimBuilderList().forEach(it -> it.setDimParam("n"))),
    new Change("extents without numbers", type -> type.getShapeBuilder().getDimBuilderList().forEach(
      it -> it.clearDimValue())),
    new Change("negative extents",
      type -> type.getShapeBuilder().getDimBuilderList().forEach(it -> it.setDimValue(-1))),
    new Change("extents of zero", type -> type.getShapeBuilder().getDimBuilderList().forEach(it -> it.setDimValue(0))),
    new Change("no shape", TypeProto.Tensor.Builder::clearShape),
    new Change("float64", type -> type.setElemType(11)),
    new Change("int64", type -> type.setElemType(7)),
    new Change("complex64", type -> type.setElemType(14)),
    new Change("no element type", TypeProto.Tensor.Builder::clearElemType));

  private static AttributeProto body(String name, GraphProto.Builder body) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.GRAPH).setG(body.setName(name)).build();
  }

  private static GraphProto.Builder graph(NodeProto... nodes) {
    return GraphProto.newBuilder().setName("g").addAllNode(List.of(nodes));
  }

  private static ValueInfoProto floats(String name, long... extents) {
    return Models.value(name, DType.FLOAT32, extents);
  }

  private static Base base(String name, GraphProto.Builder graph, Map<String, TensorView> inputs) {
    return new Base(name, Models.model(13).setGraph(graph).build(), inputs);
  }

  private static TensorView numbers(long... extents) {
    float[] values = new float[(int) Shape.of(extents).elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 5 - 1.5f;
    }
    return TensorView.ofFloats(Shape.of(extents), values);
  }

  static List<Base> bases() {
    Map<String, TensorView> x = Map.of("x", numbers(2, 3));
    List<Base> all = new ArrayList<>();
    all.add(base("elementwise", graph(node("t = Relu(x)"), node("y = Neg(t)")).addInput(floats("x", 2, 3)).addOutput(
      floats("y", 2, 3)).addValueInfo(floats("t", 2, 3)), x));
    all.add(base("product", graph(node("t = MatMul(x, w)"), node("y = Relu(w)")).addInput(floats("x", 2, 3)).addInput(
      floats("w", 3)).addInitializer(Models.floats("w", 1, 2, 3)).addOutput(floats("y", 3)).addOutput(floats("t", 2))
      .addValueInfo(floats("t", 2)), x));
    all.add(base("computed shape",
      graph(node("s = Shape(x)"), node("m = ReduceProd(s)"), node("t = Reshape(x, m)"), node(
        "y = Neg(t)")).addInput(floats("x", 2, 3)).addOutput(floats("y", 6)).addValueInfo(floats("t", 6))
        .addValueInfo(Models
          .value("s", DType.INT64, 2)),
      x));
    all.add(base("shape of values", graph(node("n = NonZero(x)"), node("c = Cast(n)", integer("to", 1)), node(
      "y = Neg(c)")).addInput(floats("x", 2, 3)).addOutput(floats("y", 2, 6))
      .addValueInfo(Models.value("n", DType.INT64,
        2, 6))
      .addValueInfo(floats("c", 2, 6)), x));
    GraphProto.Builder then = graph(node("a = Neg(x)")).addOutput(floats("a", 2, 3)).addValueInfo(floats("a", 2, 3));
    GraphProto.Builder otherwise = graph(node("b = Relu(x)")).addOutput(floats("b", 2, 3));
    Map<String, TensorView> branched = new HashMap<>(x);
    branched.put("p", TensorView.ofFloats(Shape.of(1), new float[] {1}));
    all
      .add(base("branch",
        graph(node("c = Cast(p)", integer("to", 9)), node("t = If(c)", body("then_branch", then), body(
          "else_branch", otherwise)), node("y = Neg(t)")).addInput(floats("x", 2, 3)).addInput(floats("p", 1))
          .addOutput(
            floats("y", 2, 3))
          .addValueInfo(floats("t", 2, 3)),
        branched));
    GraphProto.Builder loop = graph(node("o = Identity(k)"), node("v = Add(s, x)"), node("r = Neg(v)")).addInput(Models
      .value("i", DType.INT64)).addInput(Models.value("k", DType.BOOL)).addInput(floats("s", 2, 3)).addOutput(Models
        .value("o", DType.BOOL))
      .addOutput(floats("v", 2, 3)).addOutput(floats("r", 2, 3)).addValueInfo(floats("r", 2, 3));
    all.add(
      base("loop", graph(node("t, y = Loop(m, , x)", body("body", loop))).addInput(floats("x", 2, 3)).addInitializer(
        Models.longs("m", 3)).addOutput(floats("y", 3, 2, 3)).addOutput(floats("t", 2, 3)), x));
    GraphProto.Builder scan = graph(node("v = Add(s, e)"), node("r = Neg(v)")).addInput(floats("s", 3))
      .addInput(floats("e",
        3))
      .addOutput(floats("v", 3)).addOutput(floats("r", 3));
    all.add(base("scan", graph(node("t, y = Scan(w, x)", body("body", scan), integer("num_scan_inputs", 1))).addInput(
      floats("x", 2, 3)).addInitializer(Models.floats("w", 1, 2, 3)).addOutput(floats("y", 2, 3)).addOutput(floats("t",
        3)),
      x));
    GraphProto.Builder map = graph(node("r = Neg(e)")).addInput(floats("e", 1, 3)).addOutput(floats("r", 1, 3));
    all.add(base("map of a sequence",
      graph(node("q = SplitToSequence(x)", integer("axis", 0)), node("t = SequenceMap(q)",
        body("body", map)), node("y = ConcatFromSequence(t)", integer("axis", 0))).addInput(floats("x", 2, 3))
        .addOutput(
          floats("y", 2, 3)),
      x));
    all.set(all.size() - 1,
      new Base("map of a sequence", all.getLast().model.toBuilder().clearOpsetImport().addOpsetImport(
        Models.opset("", 17)).build(), x));
    all.add(
      base("scalar input", graph(node("y = Neg(x)")).addInput(floats("x")).addOutput(floats("y")), Map.of("x", numbers(
        1))));
    all.add(
      base("scalar input of an axis", graph(node("y = Neg(x)")).addInput(floats("x")).addOutput(floats("y")), Map.of(
        "x", numbers(2, 3))));
    all.add(base("input and weight as outputs",
      graph(node("y = Neg(x)")).addInput(floats("x", 2, 3)).addInitializer(Models
        .floats("w", 1, 2)).addOutput(floats("y", 2, 3)).addOutput(ValueInfoProto.newBuilder().setName("x"))
        .addOutput(floats("w", 2)),
      x));
    all.add(base("split",
      graph(node("a, b = Split(x)", integer("axis", 1)), node("y = Sub(a, b)")).addInput(floats("x", 2,
        4)).addOutput(floats("y", 2, 2)).addValueInfo(floats("a", 2, 2)).addValueInfo(floats("b", 2, 2)),
      Map.of("x",
        numbers(2, 4))));
    all.add(base("squeeze", graph(node("t = Unsqueeze(x, w)"), node("y = Squeeze(t, w)")).addInput(floats("x", 2, 3))
      .addInitializer(Models.longs("w", 1)).addOutput(floats("y", 2, 3)).addValueInfo(floats("t", 2, 1, 3)), x));
    return all;
  }

  /** The declared types of a graph and of the bodies in it, by where they stand. */
  private static Map<String, Function<GraphProto.Builder, ValueInfoProto.Builder>> places(GraphProto graph,
    String where,
    Function<GraphProto.Builder, GraphProto.Builder> path) {
    Map<String, Function<GraphProto.Builder, ValueInfoProto.Builder>> places = new LinkedHashMap<>();
    for (int i = 0; i < graph.getInputCount(); i++) {
      int at = i;
      places.put(where + "input " + graph.getInput(i).getName(), it -> path.apply(it).getInputBuilder(at));
    }
    for (int i = 0; i < graph.getOutputCount(); i++) {
      int at = i;
      places.put(where + "output " + graph.getOutput(i).getName(), it -> path.apply(it).getOutputBuilder(at));
    }
    for (int i = 0; i < graph.getValueInfoCount(); i++) {
      int at = i;
      places.put(where + "value " + graph.getValueInfo(i).getName(), it -> path.apply(it).getValueInfoBuilder(at));
    }
    for (int n = 0; n < graph.getNodeCount(); n++) {
      int node = n;
      for (int a = 0; a < graph.getNode(n).getAttributeCount(); a++) {
        int attribute = a;
        if (graph.getNode(n).getAttribute(a).hasG()) {
          places
            .putAll(places(graph.getNode(n).getAttribute(a).getG(), where + graph.getNode(n).getAttribute(a).getName()
              + " ", it -> path.apply(it).getNodeBuilder(node).getAttributeBuilder(attribute).getGBuilder()));
        }
      }
    }
    return places;
  }

  @ParameterizedTest
  @MethodSource("bases")
  void whatOnnxRuntimeRunsIsRun(Base base) {
    List<String> faults = new ArrayList<>();
    int accepted = 0;
    for (var place : places(base.model.getGraph(), "", it -> it).entrySet()) {
      ModelProto.Builder untyped = base.model.toBuilder();
      place.getValue().apply(untyped.getGraphBuilder()).clearType();
      accepted += compare(base, untyped.build(), place.getKey() + ": no type", faults);
      for (Change change : CHANGES) {
        ModelProto.Builder changed = base.model.toBuilder();
        change.apply.accept(place.getValue().apply(changed.getGraphBuilder()).getTypeBuilder().getTensorTypeBuilder());
        accepted += compare(base, changed.build(), place.getKey() + ": " + change.name, faults);
      }
    }
    assertThat(faults).isEmpty();
    assertThat(accepted).isPositive();
  }

  /** Whether ONNX Runtime runs the model. */
  private int compare(Base base, ModelProto model, String what, List<String> faults) {
    Path file = Models.save(model, folder);
    List<TensorView> wanted;
    try {
      wanted = Oracle.run(file, base.inputs);
    } catch (OrtException e) {
      return 0;
    }
    Map<String, Tensor> inputs = new HashMap<>();
    base.inputs.forEach((name, view) -> inputs.put(name, Tensor.copyOf(view)));
    try (Session session = Session.open(file, SessionOptions.DEFAULT); Result result = session.run(inputs)) {
      for (int i = 0; i < wanted.size(); i++) {
        TensorView given = result.get(model.getGraph().getOutput(i).getName()).view();
        if (!given.type().equals(wanted.get(i).type()) || given.segment().mismatch(wanted.get(i).segment()) >= 0) {
          faults.add("%s: output %d: wanted=%s given=%s".formatted(what, i, wanted.get(i).type(), given.type()));
        }
      }
    } catch (RuntimeException e) {
      faults.add(what + ": " + e);
    } finally {
      inputs.values().forEach(Tensor::close);
    }
    return 1;
  }

  @Test
  void theLogWarnsOnceOfADeclaredResult() throws Exception {
    ModelProto model = Models.model(13)
      .setGraph(graph(node("y = Neg(x)"), node("z = Relu(x)")).addInput(floats("x", 2, 3))
        .addOutput(floats("y", 3)).addOutput(floats("z", 2, 3)))
      .build();
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    var logger = (Logger) LoggerFactory.getLogger(Class.forName("dev.cairn.runtime.session.DeclaredResults"));
    logger.addAppender(log);
    log.start();
    try (Session session = Session.open(Models.save(model, folder), SessionOptions.DEFAULT);
      Tensor x = Tensor.copyOf(numbers(2, 3))) {
      for (int run = 0; run < 3; run++) {
        session.run(Map.of("x", x)).close();
      }
    } finally {
      logger.detachAppender(log);
      log.stop();
    }
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
      "a result has another type than the model declares, and keeps its own: graph=g output=y declared=float32[3] "
        + "result=float32[2x3]");
  }

  /** A default value decides neither the extents nor the rank that callers may give. */
  @Test
  void anotherValueOfAWeightMayHaveAnotherShape() {
    GraphProto.Builder graph = graph(node("y = Mul(x, w)")).addInput(floats("x", 2, 3))
      .addInput(ValueInfoProto.newBuilder(
        floats("w", 1)))
      .addInitializer(Models.floats("w", 10)).addOutput(floats("y", 2, 3));
    graph.getInputBuilder(1).getTypeBuilder().getTensorTypeBuilder().getShapeBuilder().getDimBuilder(0)
      .setDimParam("n");
    Path file = Models.save(Models.model(13).setGraph(graph).build(), folder);
    TensorView w = numbers(3);
    Graph read = OptionalInputs.given(OnnxReader.read(file, Models.operators()), List.of("w"));
    try (Session session = Session.of(read, SessionOptions.DEFAULT);
      Result result = session.run(Map.of("x", Tensor.copyOf(numbers(2, 3)), "w", Tensor.copyOf(w)))) {
      // x is -1.5 -0.5 0.5 1.5 2.5 -1.5, and w is -1.5 -0.5 0.5.
      assertThat(result.get("y").toFloatArray()).containsExactly(2.25f, 0.25f, 0.25f, -2.25f, -1.25f, -0.75f);
    }
  }
}
