package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.DecisionTrees;
import dev.cairn.kernels.attribute.TreeForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/** Operators of classic machine learning that are not written with others. */
public final class EnsembleFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("TreeEnsemble", 1, 1, EnsembleFamily::trees, MemoryTraits.NONE)
      .ofDomain(OnnxFacts.CLASSIC)
      .zeroGradient(TextFamily.LOOKED_UP));

  private EnsembleFamily() {}

  private static List<TensorType> trees(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    Shape x = context.shape(0);
    if (x.rank() != 2) {
      throw context.fault("rows of features are needed: input=" + x);
    }
    TreeForm form = TreeForm.of(context.attributes());
    long transform = form.transform();
    long aggregate = form.aggregate();
    if (transform != 0 || aggregate < 0 || aggregate > 3) {
      throw context.fault("no such combination of trees: aggregate_function=%d post_transform=%d".formatted(aggregate,
        transform));
    }
    DecisionTrees trees = DecisionTrees.of(context.attributes());
    trees.requireFeatures(x.extent(1));
    return List.of(context.input(0).withShape(Shape.of(x.extent(0), trees.targets())));
  }
}
