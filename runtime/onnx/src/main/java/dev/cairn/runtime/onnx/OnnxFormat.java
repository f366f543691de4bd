package dev.cairn.runtime.onnx;

import dev.cairn.runtime.ModelFormat;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.OperatorTable;
import java.nio.file.Path;
import java.util.Locale;

/** The ONNX model format, which sessions find on the class path. Thread-safe. */
public final class OnnxFormat implements ModelFormat {
  @Override
  public String name() {
    return "ONNX";
  }

  @Override
  public boolean recognises(Path file) {
    Path name = file.getFileName();
    return name != null && name.toString().toLowerCase(Locale.ROOT).endsWith(".onnx");
  }

  @Override
  public Graph read(Path file, OperatorTable operators) {
    return OnnxReader.read(file, operators);
  }
}
