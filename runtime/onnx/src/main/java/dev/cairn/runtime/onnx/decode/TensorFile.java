package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import dev.cairn.runtime.session.ModelSource;
import java.nio.file.Path;
import java.util.List;

/** Reads a file that holds one tensor message, as the ONNX backend tests keep inputs and expected outputs. */
public final class TensorFile {
  private TensorFile() {}

  /**
   * @throws dev.cairn.runtime.session.InvalidModel when the file is missing, damaged or no tensor
   * @throws UnsupportedOperators when Cairn does not have the tensor's element type
   */
  public static TensorView decode(Path file) {
    var source = ModelMessage.open(ModelSource.of(file));
    TensorProto tensor = source.parse(TensorProto.parser(), MessageKind.TENSOR);
    TensorDecoder.missing(tensor).ifPresent(reason -> {
      throw new UnsupportedOperators(List.of(new Gap(tensor.getName(), "tensor", reason)));
    });
    return new TensorDecoder(source).decode(tensor);
  }
}
