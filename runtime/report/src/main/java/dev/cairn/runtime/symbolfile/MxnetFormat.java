package dev.cairn.runtime.symbolfile;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.session.ModelFormat;
import dev.cairn.runtime.session.ModelSource;

/**
 * MXNet's saved networks, which sessions find on the class path: {@code prefix-symbol.json}, with the newest {@code
 * prefix-NNNN.params} beside it. Thread-safe.
 */
public final class MxnetFormat implements ModelFormat {
  @Override
  public String name() {
    return "MXNet";
  }

  @Override
  public boolean recognises(ModelSource model) {
    return MxnetModel.isSymbol(model.name());
  }

  @Override
  public Graph read(ModelSource model, OperatorTable operators) {
    return MxnetModel.besides(model).graph();
  }
}
