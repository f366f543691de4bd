package dev.cairn.runtime.onnx;

import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.encode.ModelEncoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes graphs as ONNX files: IR version 10, opset 22 (23 with attention), weights as raw bytes. The graph's operators
 * must be ONNX's, as they are after reading; operators that a pass made up are written as they are, and nobody else can
 * read them.
 */
public final class OnnxWriter {
  /** Weights of more bytes than this go into a file beside the model: a protobuf message ends at 2 GiB. */
  public static final long MAX_INLINE_BYTES = 3L << 29;

  private OnnxWriter() {}

  /**
   * Writes the model, or nothing: an old file of the name is there until the new one is complete.
   *
   * @param outputTypes one for each of the graph's outputs, as ONNX wants them declared; symbols may have empty names
   * @throws IllegalArgumentException when the types are not as many as outputs, or names clash in ONNX's single name
   * space
   */
  public static void write(Graph graph, List<DeclaredType> outputTypes, Path file) throws IOException {
    write(graph, outputTypes, file, MAX_INLINE_BYTES);
  }

  /** As above, with another limit for the weights inside the model; 0 puts all but small ones beside it. */
  public static void write(Graph graph, List<DeclaredType> outputTypes, Path file, long maxInlineBytes)
    throws IOException {
    if (maxInlineBytes < 0 || maxInlineBytes > MAX_INLINE_BYTES) {
      throw new IllegalArgumentException("limit of weights inside a model: bytes=%d least=0 most=%d"
        .formatted(maxInlineBytes, MAX_INLINE_BYTES));
    }
    ModelEncoder.encode(graph, outputTypes, file, maxInlineBytes);
  }
}
