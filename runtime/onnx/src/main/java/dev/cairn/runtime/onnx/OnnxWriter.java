package dev.cairn.runtime.onnx;

import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.encode.ModelEncoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes graphs as ONNX files: IR version 10, opset 22 (23 with attention), weights as raw bytes. The graph should have
 * ONNX operators only, as it has after reading. The writer also writes Cairn's internal operators, but other programs
 * cannot read them.
 */
public final class OnnxWriter {
  /** Weights larger than this go into a file next to the model: a protobuf message is limited to 2 GiB. */
  public static final long MAX_INLINE_BYTES = 3L << 29;

  private OnnxWriter() {}

  /**
   * Writes the model atomically: an existing file stays until the new one is complete.
   *
   * @param outputTypes a declared type for each of the graph's outputs; symbols may have empty names
   * @throws IllegalArgumentException when the number of types is wrong, names clash in ONNX's single name space, or the
   *   graph has control flow
   */
  public static void write(Graph graph, List<DeclaredType> outputTypes, Path file) throws IOException {
    write(graph, outputTypes, file, MAX_INLINE_BYTES);
  }

  /**
   * Like {@link #write(Graph, List, Path)} with another limit for weights inside the model file. With 0, all but small
   * weights go into a file next to it.
   */
  public static void write(Graph graph, List<DeclaredType> outputTypes, Path file, long maxInlineBytes)
    throws IOException {
    if (maxInlineBytes < 0 || maxInlineBytes > MAX_INLINE_BYTES) {
      throw new IllegalArgumentException("limit of weights inside a model: bytes=%d least=0 most=%d"
        .formatted(maxInlineBytes, MAX_INLINE_BYTES));
    }
    ModelEncoder.encode(graph, outputTypes, file, maxInlineBytes);
  }
}
