package dev.cairn.runtime.onnx;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.decode.ModelDecoder;
import dev.cairn.runtime.onnx.decode.ModelSummary;
import dev.cairn.runtime.onnx.decode.SummaryDecoder;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.ModelSource;
import java.nio.file.Path;

/**
 * Reads ONNX models. The reader maps a file, and weights stay in it until first use. Do not change the file while the
 * graph is in use. The mapping ends when the graph's last constant is garbage.
 */
public final class OnnxReader {
  private OnnxReader() {}

  /**
   * Reads a model into a graph of the table's operators, upgraded to opset 22.
   *
   * @throws dev.cairn.runtime.session.InvalidModel when the file is missing, damaged or breaks ONNX's rules
   * @throws UnsupportedOperators when the model uses features that Cairn lacks; lists all of them,
   *   before reading weights
   */
  public static Graph read(ModelSource model, OperatorTable operators) {
    return ModelDecoder.decode(model, operators);
  }

  /** Like {@link #read(ModelSource, OperatorTable)}, from a file. */
  public static Graph read(Path file, OperatorTable operators) {
    return read(ModelSource.of(file), operators);
  }

  /**
   * A summary of the model, even of one that Cairn cannot run.
   *
   * @throws dev.cairn.runtime.session.InvalidModel when the file is missing, damaged or not an ONNX model
   */
  public static ModelSummary summary(ModelSource model) {
    return SummaryDecoder.decode(model);
  }

  /** Like {@link #summary(ModelSource)}, from a file. */
  public static ModelSummary summary(Path file) {
    return summary(ModelSource.of(file));
  }
}
