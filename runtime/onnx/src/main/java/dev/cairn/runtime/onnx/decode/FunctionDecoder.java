package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.session.ModelSource;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;

/** Reads the functions of a file, each by itself. */
public final class FunctionDecoder {
  private FunctionDecoder() {}

  /**
   * An operator for each function of the file.
   *
   * @param encoder writes the attributes of a use of an operator
   */
  public static List<CompositeOperator> decode(Path file, OperatorTable operators,
    BiFunction<String, Attributes, List<AttributeProto>> encoder) {
    var source = ModelMessage.open(ModelSource.of(file));
    ModelProto model = ModelDecoder.parse(source);
    GapFinder.requireReadable(model);
    return model.getFunctionsList().stream().map(function -> operator(source, model, function, operators, encoder))
      .toList();
  }

  private static CompositeOperator operator(ModelMessage source, ModelProto model, FunctionProto function,
    OperatorTable operators, BiFunction<String, Attributes, List<AttributeProto>> encoder) {
    String name = OpsetVersions.domain(function.getDomain()) + "::" + function.getName();
    if (!function.getOverload().isEmpty()) {
      throw source.invalid("an overloaded function cannot be an operator: function=%s overload=%s".formatted(name,
        function.getOverload()));
    }
    var body = new FunctionBody(source, model, function, operators, attributes -> encoder.apply(name, attributes));
    return new CompositeOperator(name, 0, function.getInputCount(), function.getOutputCount(), body);
  }
}
