package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.SparseTensorProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.session.ModelSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads what a file says of itself. Works for models that Cairn cannot run. */
public final class SummaryDecoder {
  private SummaryDecoder() {}

  /** @throws dev.cairn.runtime.session.InvalidModel when the file is missing, damaged or no ONNX model */
  public static ModelSummary decode(ModelSource from) {
    var source = ModelMessage.open(from);
    ModelProto model = ModelDecoder.parse(source);
    GraphProto graph = model.getGraph();
    List<FlatNode> nodes = new ArrayList<>();
    List<TensorProto> tensors = new ArrayList<>(initializers(graph));
    addAll(FunctionInliner.inline(model, source), nodes, tensors);
    var operators = new TreeMap<String, Integer>();
    nodes.forEach(node -> operators.merge(node.operator().toString(), 1, Integer::sum));
    String producer = (model.getProducerName() + " " + model.getProducerVersion()).strip();
    var opsets = new TreeMap<>(OpsetVersions.of(model).asMap());
    return new ModelSummary(graph.getName(), new ModelSummary.Origin(producer, model.getIrVersion(), opsets),
      inputs(graph), values(graph.getOutputList()), operators, weights(tensors, nodes, source));
  }

  private static List<ModelSummary.Value> inputs(GraphProto graph) {
    Set<String> weights = new HashSet<>();
    initializers(graph).forEach(weight -> weights.add(weight.getName()));
    return values(graph.getInputList().stream().filter(input -> !weights.contains(input.getName())).toList());
  }

  private static List<TensorProto> initializers(GraphProto graph) {
    return Stream.concat(graph.getInitializerList().stream(), graph.getSparseInitializerList().stream().map(
      SummaryDecoder::dense)).toList();
  }

  /** A tensor without elements of the type that a sparse tensor has in memory. */
  private static TensorProto dense(SparseTensorProto sparse) {
    return TensorProto.newBuilder().setName(SparseTensorDecoder.name(sparse)).setDataType(sparse.getValues()
      .getDataType()).addAllDims(sparse.getDimsList()).build();
  }

  private static List<ModelSummary.Value> values(List<ValueInfoProto> values) {
    return values.stream().map(value -> new ModelSummary.Value(value.getName(), TypeDecoder.text(value))).toList();
  }

  /** Nodes and weights, with those in bodies. */
  private static void addAll(List<FlatNode> some, List<FlatNode> nodes, List<TensorProto> weights) {
    for (FlatNode node : some) {
      nodes.add(node);
      for (FlatBody body : node.bodies().values()) {
        weights.addAll(initializers(body.graph()));
        addAll(body.nodes(), nodes, weights);
      }
    }
  }

  private static ModelSummary.Weights weights(List<TensorProto> given, List<FlatNode> nodes, ModelMessage source) {
    var tensors = new ArrayList<>(given);
    nodes.stream()
      .filter(node -> node.operator().is("Constant"))
      .flatMap(node -> node.attributes().stream())
      .filter(attribute -> attribute.hasT() || attribute.hasSparseTensor())
      .forEach(attribute -> tensors.add(attribute.hasT() ? attribute.getT() : dense(attribute.getSparseTensor())));
    try {
      long elements = 0;
      long bytes = 0;
      long external = 0;
      for (TensorProto tensor : tensors) {
        long count = Shape.of(tensor.getDimsList().stream().mapToLong(Long::longValue).toArray()).elementCount();
        long size = ElementTypes.find(tensor.getDataType()).map(dtype -> dtype.bytes(count)).orElse(0L);
        elements = Math.addExact(elements, count);
        bytes = Math.addExact(bytes, size);
        external += tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL ? size : 0;
      }
      return new ModelSummary.Weights(tensors.size(), elements, bytes, external);
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw source.invalid("weights of impossible size: tensors=" + tensors.size());
    }
  }
}
