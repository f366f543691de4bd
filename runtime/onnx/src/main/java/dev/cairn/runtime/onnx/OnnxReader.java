package dev.cairn.runtime.onnx;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.decode.ModelDecoder;
import dev.cairn.runtime.onnx.decode.ModelSummary;
import dev.cairn.runtime.onnx.decode.SummaryDecoder;
import dev.cairn.runtime.operator.OperatorTable;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads ONNX files. A file is mapped, and weights stay in it until they are used; it must not change while the graph
 * is in use, and is let go when the graph's last constant is.
 */
public final class OnnxReader {
  private static final Logger LOG = LoggerFactory.getLogger(OnnxReader.class);

  private OnnxReader() {}

  /**
   * Reads a model into operators of the table, in the form of opset 22.
   *
   * @throws dev.cairn.runtime.InvalidModel when the file is missing, damaged or breaks ONNX's rules
   * @throws dev.cairn.runtime.UnsupportedOperators when it uses something that Cairn does not have: all of it at
   * once, before weights
   *   are looked at
   */
  public static Graph read(Path file, OperatorTable operators) {
    Graph graph = ModelDecoder.decode(file, operators);
    LOG.debug("read model: file={} nodes={}", file, graph.nodes().size());
    return graph;
  }

  /**
   * What the file says of itself, also for a model that cannot be run.
   *
   * @throws dev.cairn.runtime.InvalidModel when the file is missing, damaged or no ONNX model
   */
  public static ModelSummary summary(Path file) {
    return SummaryDecoder.decode(file);
  }
}
