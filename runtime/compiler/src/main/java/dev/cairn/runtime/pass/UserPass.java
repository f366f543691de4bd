package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import java.util.Set;

/** A pass of a user, which {@link PassManager} checks more closely than Cairn's own. */
record UserPass(Pass pass) implements Pass {
  @Override
  public String name() {
    return pass.name();
  }

  @Override
  public Set<Fact<?>> requires() {
    return pass.requires();
  }

  @Override
  public Set<Fact<?>> provides() {
    return pass.provides();
  }

  @Override
  public Set<Fact<?>> keeps() {
    return pass.keeps();
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    return pass.apply(graph, context);
  }
}
