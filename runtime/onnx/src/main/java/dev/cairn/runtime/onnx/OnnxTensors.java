package dev.cairn.runtime.onnx;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.decode.TensorFile;
import dev.cairn.runtime.onnx.encode.TensorEncoder;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads and writes files with a single tensor ({@code .pb}), the format of the ONNX backend tests' inputs and outputs.
 */
public final class OnnxTensors {
  private OnnxTensors() {}

  /**
   * A view of the tensor in the mapped file.
   *
   * @throws dev.cairn.runtime.session.InvalidModel when the file is missing, damaged or not a tensor
   * @throws dev.cairn.runtime.operator.UnsupportedOperators when Cairn lacks the element type
   */
  public static TensorView read(Path file) {
    return TensorFile.decode(file);
  }

  /** Writes a tensor of less than 2 GiB, with a name that is stored in the file. */
  public static void write(String name, TensorView value, Path file) throws IOException {
    TensorEncoder.write(name, value, file);
  }
}
