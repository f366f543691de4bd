package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.Graph;

/** Three fully connected layers with rectifiers between: 784 to 512 to 256 to 10. */
final class Mlp implements ZooModel {
  private static final int[] WIDTHS = {784, 512, 256, 10};

  @Override
  public String name() {
    return "mlp";
  }

  @Override
  public String description() {
    return "three fully connected layers, 0.54 M parameters; input float32[Nx784] -> logits float32[Nx10]";
  }

  @Override
  public Graph build(ZooOptions options) {
    ModelScope scope = ModelScope.of(name(), options);
    GraphExpression x = scope.input("input", DType.FLOAT32, WIDTHS[0]);
    for (int layer = 0; layer < WIDTHS.length - 1; layer++) {
      ModelScope part = scope.within("fc" + (layer + 1));
      x = layer == 0 ? x : VisionLayers.relu(part, x);
      x = VisionLayers.linear(part, x, WIDTHS[layer], WIDTHS[layer + 1], 2);
    }
    scope.output("logits", x);
    return scope.build();
  }
}
