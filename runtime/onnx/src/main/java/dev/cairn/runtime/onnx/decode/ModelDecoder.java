package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.onnx.expand.OperatorExpansions;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a model: the order in which the rest of this package works. */
public final class ModelDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(ModelDecoder.class);

  /** Before this IR version, each initializer is listed as an input. */
  private static final long FIRST_WITH_OPTIONAL_INPUTS = 4;

  private ModelDecoder() {}

  /**
   * @throws InvalidModel when the file is missing, damaged or breaks ONNX's rules
   * @throws dev.cairn.runtime.operator.UnsupportedOperators when it uses something that Cairn lacks; names all of it,
   *   before reading weights
   */
  public static Graph decode(ModelSource model, OperatorTable operators) {
    try {
      return decodeMapped(model, operators);
    } catch (InternalError e) {
      throw new InvalidModel(model, "the file was truncated while it was read", e);
    }
  }

  private static Graph decodeMapped(ModelSource model, OperatorTable operators) {
    requireUnread(operators);
    var source = ModelMessage.open(model);
    ModelProto proto = parse(source);
    GapFinder.requireReadable(proto);
    List<FlatNode> nodes = UnreadResults.dropped(FunctionInliner.inline(proto, source),
      proto.getGraph().getOutputList().stream().map(ValueInfoProto::getName).toList());
    GapFinder.requireNone(proto, nodes, operators);
    try {
      Graph graph = new GraphAssembler(source, operators).assemble(proto.getGraph(), nodes, proto
        .getIrVersion() >= FIRST_WITH_OPTIONAL_INPUTS);
      InputCheck.check(graph, operators, source);
      LOG.debug("read model: file={} nodes={}", model, graph.nodes().size());
      return graph;
    } catch (InvalidGraph e) {
      throw new InvalidModel(model, String.valueOf(e.getMessage()), e);
    }
  }

  /** Operators of users may not have names of operators that are read as others. */
  private static void requireUnread(OperatorTable operators) {
    for (String name : operators.names()) {
      if (OperatorExpansions.mostInputs(name).isPresent() && operators.get(name).results() > 0) {
        throw new IllegalArgumentException("Cairn reads this operator by itself: name=%s; use a domain of your own"
          .formatted(name));
      }
    }
  }

  /** The file's message, which has at least a version and a graph. */
  static ModelProto parse(ModelMessage source) {
    ModelProto model = source.parse(ModelProto.parser(), MessageKind.MODEL);
    if (!model.hasIrVersion()) {
      throw source.invalid("not an ONNX model: it has no IR version");
    }
    if (!model.hasGraph()) {
      throw source.invalid("the model has no graph");
    }
    return model;
  }
}
