package dev.cairn.runtime.onnx.encode;

import com.google.protobuf.CodedOutputStream;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.notation.OperatorDomains;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.OperatorSetIdProto;
import dev.cairn.runtime.onnx.proto.TensorShapeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Writes a graph as an ONNX file. */
public final class ModelEncoder {
  private static final long IR_VERSION = 10;

  private ModelEncoder() {}

  /**
   * @param outputTypes one for each of the graph's outputs
   * @param maxInlineBytes weights of more bytes than this together go into a file beside the model, whose name ends
   * in {@code .data}; those of a model that is replaced are deleted when the new one is in its place
   * @throws IllegalArgumentException when ONNX cannot express the graph
   */
  public static void encode(Graph graph, List<DeclaredType> outputTypes, Path file, long maxInlineBytes)
    throws IOException {
    if (outputTypes.size() != graph.outputs().size()) {
      throw new IllegalArgumentException("one declared type for each output is needed: outputs=%d types=%d"
        .formatted(graph.outputs().size(), outputTypes.size()));
    }
    var names = new ValueNames(graph);
    var dataFiles = new DataFiles(file);
    Path data = dataFiles.unused();
    var weights = new WeightPlacement(graph, names, maxInlineBytes, data.getFileName().toString());
    GraphProto head = head(graph, outputTypes, names);
    long bytes = head.getSerializedSize();
    for (Weight weight : weights.weights()) {
      bytes += MessageParts.fieldBytes(GraphProto.INITIALIZER_FIELD_NUMBER, weight.messageBytes());
    }
    long graphBytes = bytes;
    if (graphBytes > Integer.MAX_VALUE - 4096) {
      throw new IllegalArgumentException("too large for one protobuf message: bytes=" + graphBytes);
    }
    if (weights.hasExternal()) {
      NewFile.write(data, weights::writeExternal);
    }
    NewFile.write(file, out -> write(head, graphBytes, weights.weights(), out));
    if (weights.hasExternal()) {
      dataFiles.deleteAllBut(data);
    }
  }

  /** The first operator set that has all of ONNX's own operators in the graph; others mean the same there. */
  private static long opset(GraphProto head) {
    return head.getNodeList().stream().filter(node -> node.getDomain().isEmpty()).mapToLong(
      node -> StandardOperators.table().facts(node.getOpType()).onnx().opset()).max().orElse(OnnxFacts.OPSET);
  }

  private static List<OperatorSetIdProto> imports(GraphProto head) {
    var imports = new ArrayList<OperatorSetIdProto>();
    imports.add(OperatorSetIdProto.newBuilder().setDomain("").setVersion(opset(head)).build());
    Map<String, Set<String>> domains = new LinkedHashMap<>();
    for (NodeProto node : head.getNodeList()) {
      if (!node.getDomain().isEmpty()) {
        domains.computeIfAbsent(node.getDomain(), _ -> new TreeSet<>()).add(node.getOpType());
      }
    }
    domains.forEach((domain, operators) -> imports.add(OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(
      OperatorDomains.version(domain, operators)).build()));
    return imports;
  }

  private static void write(GraphProto head, long graphBytes, List<Weight> weights, OutputStream stream)
    throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(stream);
    ModelProto.newBuilder()
      .setIrVersion(IR_VERSION)
      .setProducerName("cairn")
      .addAllOpsetImport(imports(head))
      .build()
      .writeTo(out);
    MessageParts.begin(out, ModelProto.GRAPH_FIELD_NUMBER, graphBytes);
    head.writeTo(out);
    for (Weight weight : weights) {
      MessageParts.begin(out, GraphProto.INITIALIZER_FIELD_NUMBER, weight.messageBytes());
      weight.writeMessage(out);
    }
    out.flush();
  }

  /** The graph without its weights. */
  private static GraphProto head(Graph graph, List<DeclaredType> outputTypes, ValueNames names) {
    var head = GraphProto.newBuilder().setName(graph.name().isEmpty() ? "graph" : graph.name());
    var nodeNames = new UniqueNames();
    for (Node node : graph.nodes()) {
      nodeNames.take(node.name());
      switch (node.kind()) {
        case NodeKind.Input(DeclaredType type) -> head.addInput(value(node.name(), type));
        case NodeKind.Apply apply -> head.addNode(node(node, apply, names, head));
        case NodeKind.Variable variable -> throw new IllegalArgumentException("ONNX has no variables: node=" + node);
        case NodeKind.Assign assign -> throw new IllegalArgumentException("ONNX has no variables: node=" + node);
        case NodeKind.Constant constant -> {}
        case NodeKind.Deferred deferred -> throw new IllegalArgumentException("not computed yet: node=" + node);
        case NodeKind.Parameter parameter -> throw new IllegalArgumentException("a body is no model: node=" + node);
        case NodeKind.Control control -> throw new IllegalArgumentException(
          "the writer does not write control flow: node=%s operator=%s".formatted(node.name(), node.operator()));
        case NodeKind.Absent absent -> {}
      }
    }
    for (Graph.Output copy : names.copies()) {
      head.addNode(NodeProto.newBuilder()
        .setName(nodeNames.take(copy.name() + "_copy"))
        .setOpType(Operators.IDENTITY)
        .addInput(names.of(copy.entry()))
        .addOutput(copy.name()));
    }
    for (int i = 0; i < outputTypes.size(); i++) {
      head.addOutput(value(graph.outputs().get(i).name(), outputTypes.get(i)));
    }
    return head.build();
  }

  private static NodeProto node(Node node, NodeKind.Apply apply, ValueNames names, GraphProto.Builder head) {
    var encoded = NodeProto.newBuilder().setName(node.name()).setOpType(OperatorDomains.typeOf(apply.operator()));
    encoded.setDomain(OperatorDomains.of(apply.operator()));
    node.inputs().forEach(input -> encoded.addInput(names.of(input)));
    for (int i = 0; i < apply.outputs(); i++) {
      encoded.addOutput(names.of(node.entry(i)));
    }
    TrainingForms.complete(node, encoded, head);
    node.notes().values().forEach((name, value) -> {
      if (name.startsWith(Notes.BINDING)) {
        encoded.addMetadataPropsBuilder().setKey(name).setValue(value);
      }
    });
    Attributes attributes = TrainingForms.attributes(apply.operator(), apply.attributes());
    return encoded.addAllAttribute(AttributeEncoder.encode(apply.operator(), attributes)).build();
  }

  /** A type that is open is left out of the file. */
  private static ValueInfoProto value(String name, DeclaredType type) {
    if (!type.hasRank()) {
      return ValueInfoProto.newBuilder().setName(name).build();
    }
    var shape = TensorShapeProto.newBuilder();
    for (Dimension dimension : type.dimensions()) {
      switch (dimension) {
        case Dimension.Fixed(long extent) -> shape.addDimBuilder().setDimValue(extent);
        case Dimension.Symbol(String symbol) when symbol.isEmpty() -> shape.addDimBuilder();
        case Dimension.Symbol(String symbol) -> shape.addDimBuilder().setDimParam(symbol);
      }
    }
    var tensor = TypeProto.Tensor.newBuilder().setElemType(ElementTypes.number(type.dtype())).setShape(shape);
    return ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(tensor)).build();
  }
}
