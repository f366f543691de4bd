package dev.cairn.runtime.onnx;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.decode.ModelDecoder;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.session.ModelFormat;
import dev.cairn.runtime.session.ModelSource;
import java.util.Locale;

/** The ONNX model format, which sessions find on the class path. Thread-safe. */
public final class OnnxFormat implements ModelFormat {
  @Override
  public String name() {
    return "ONNX";
  }

  @Override
  public boolean recognises(ModelSource model) {
    return !model.hasFileName() || model.name().toLowerCase(Locale.ROOT).endsWith(".onnx");
  }

  @Override
  public Graph read(ModelSource model, OperatorTable operators) {
    return ModelDecoder.decode(model, operators);
  }
}
