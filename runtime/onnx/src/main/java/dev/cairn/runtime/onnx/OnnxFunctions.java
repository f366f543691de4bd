package dev.cairn.runtime.onnx;

import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.onnx.decode.FunctionDecoder;
import dev.cairn.runtime.onnx.encode.AttributeEncoder;
import java.nio.file.Path;
import java.util.List;

/** Functions of an ONNX file as operators for graphs, arrays and other files. */
public final class OnnxFunctions {
  private OnnxFunctions() {}

  /**
   * An operator for each function of a file, such as {@code my::Mish}. All inputs of a function may be omitted. The
   * file must stay as it is.
   *
   * @param known the operators that the functions may use, apart from each other
   * @throws dev.cairn.runtime.session.InvalidModel when the file is missing, damaged or breaks ONNX's rules
   * @throws IllegalArgumentException when a function has the name of one of Cairn's operators
   */
  public static List<CompositeOperator> read(Path file, OperatorRegistry known) {
    return FunctionDecoder.decode(file, known.table(), AttributeEncoder::encode);
  }
}
