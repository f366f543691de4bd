package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compiles a body of a node for the types of its parameters. */
@FunctionalInterface
interface BodyCompiler {
  /** Compiles for the shapes of the node alone. */
  BodyCompiler ALONE = (compiler, body, parameters, options) -> compiler.compile(body.graph(), parameters, options);
  /** Compiles for the node's largest shapes. */
  BodyCompiler LARGEST = (compiler, body, parameters, options) -> compiler.compileLargest(body.graph(), parameters,
    options);

  /**
   * @param node a {@code If}, {@code Loop} or {@code Scan}
   * @param index the place among its bodies
   */
  record Body(Node node, int index) {
    Graph graph() {
      if (!(node.kind() instanceof NodeKind.Control control)) {
        throw new IllegalArgumentException("runs no bodies: node=" + node.name());
      }
      return control.bodies().get(index);
    }
  }

  /** @param compiler whose results are bound */
  CompiledGraph compile(Compiler compiler, Body body, Map<String, TensorType> parameters, CompileOptions options);

  /** Compiles for smaller shapes, in the memory of the same bodies as compiled for the largest ones. */
  static BodyCompiler within(CompiledGraph largest) {
    Map<String, List<CompiledGraph>> larger = new HashMap<>();
    for (int step = 0; step < largest.kernels().size(); step++) {
      if (largest.kernels().get(step).kernel() instanceof ControlKernel control) {
        larger.put(largest.storage().steps().get(step).name(), control.bodies());
      }
    }
    return (compiler, body, parameters, options) -> {
      List<CompiledGraph> known = larger.get(body.node.name());
      if (known == null) {
        throw new IllegalArgumentException("the shapes make another graph: no such step: node=" + body.node.name());
      }
      return compiler.compileWithin(known.get(body.index), body.graph(), parameters, options);
    };
  }
}
