package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.CategoryForm;
import dev.cairn.kernels.attribute.DecisionForest;
import dev.cairn.kernels.attribute.FeatureForm;
import dev.cairn.kernels.attribute.SupportVectors;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.TypeRule;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Operators of classic machine learning that are not written with others. */
public final class EnsembleFamily {
  private static final Set<DType> FEATURES = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.INT32, DType.INT64);

  private static final String NOT_TRAINED = "support vectors are not trained by gradients";

  public static final List<OperatorDefinition> ROWS = List.of( //
    row("FeatureVectorizer", OperatorDefinition.ANY_NUMBER, EnsembleFamily::joined).noGradient(
      "no layer of a network joins features by it"),
    row("OneHotEncoder", 1, EnsembleFamily::encoded).zeroGradient(TextFamily.LOOKED_UP),
    row("SVMClassifier", 1, EnsembleFamily::classifiedByVectors).noGradient(NOT_TRAINED),
    row("SVMRegressor", 1, EnsembleFamily::regressedByVectors).noGradient(NOT_TRAINED),
    row("TreeEnsemble", 1, EnsembleFamily::trees).zeroGradient(TextFamily.LOOKED_UP),
    row("TreeEnsembleClassifier", 1, EnsembleFamily::classifiedByTrees).zeroGradient(TextFamily.LOOKED_UP),
    row("TreeEnsembleRegressor", 1, EnsembleFamily::regressedByTrees).zeroGradient(TextFamily.LOOKED_UP));

  private EnsembleFamily() {}

  private static OperatorDefinition row(String name, int maxInputs, TypeRule rule) {
    return new OperatorDefinition(name, 1, maxInputs, rule, MemoryTraits.NONE).ofDomain(OnnxFacts.CLASSIC);
  }

  private static List<TensorType> trees(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    if (context.shape(0).rank() != 2) {
      throw context.fault("rows of features are needed: input=" + context.shape(0));
    }
    DecisionForest forest = forest(context, DecisionForest::ofEnsemble);
    return List.of(context.input(0).withShape(Shape.of(rows(context), forest.targets())));
  }

  private static List<TensorType> regressedByTrees(TypeContext context) {
    DecisionForest forest = forest(context, DecisionForest::ofRegressor);
    return List.of(TensorType.of(DType.FLOAT32, rows(context), forest.targets()));
  }

  private static List<TensorType> classifiedByTrees(TypeContext context) {
    DecisionForest forest = forest(context, DecisionForest::ofClassifier);
    if (forest.targets() < 2) {
      throw context.fault("a classifier needs two labels at least: labels=" + forest.targets());
    }
    return classes(context, forest.targets());
  }

  private static DecisionForest forest(TypeContext context, Function<Attributes, DecisionForest> parser) {
    requireRows(context);
    DecisionForest forest = parser.apply(context.attributes());
    forest.requireFeatures(columns(context));
    return forest;
  }

  private static List<TensorType> classifiedByVectors(TypeContext context) {
    requireRows(context);
    SupportVectors vectors = SupportVectors.ofClassifier(context.attributes());
    requireColumns(context, vectors);
    if (vectors.classes() < 2) {
      throw context.fault("a classifier needs two labels at least: labels=" + vectors.classes());
    }
    return classes(context, vectors.scores());
  }

  private static List<TensorType> regressedByVectors(TypeContext context) {
    requireRows(context);
    requireColumns(context, SupportVectors.ofRegressor(context.attributes()));
    return List.of(TensorType.of(DType.FLOAT32, rows(context), 1));
  }

  private static void requireColumns(TypeContext context, SupportVectors vectors) {
    if (columns(context) != vectors.features()) {
      throw context.fault("rows and vectors differ in length: vectors=" + vectors.features());
    }
  }

  private static List<TensorType> classes(TypeContext context, int scores) {
    return context.first(TensorType.of(DType.INT64, rows(context)), TensorType.of(DType.FLOAT32, rows(context),
      scores));
  }

  /** Rows of features, or the features of one row. */
  private static void requireRows(TypeContext context) {
    if (context.shape(0).rank() < 1 || context.shape(0).rank() > 2 || columns(context) == 0) {
      throw context.fault("rows of features are needed: input=" + context.shape(0));
    }
    if (!FEATURES.contains(context.dtype(0)) && context.dtype(0) != DType.FLOAT16) {
      throw context.fault("unsupported element type: input=0 dtype=" + context.dtype(0));
    }
  }

  private static long rows(TypeContext context) {
    return context.shape(0).rank() == 1 ? 1 : context.shape(0).extent(0);
  }

  private static long columns(TypeContext context) {
    return context.shape(0).extent(-1);
  }

  private static List<TensorType> encoded(TypeContext context) {
    CategoryForm form = CategoryForm.of(context.attributes());
    boolean isText = context.dtype(0) == DType.STRING;
    if (isText != form.areTexts() || (!isText && !FEATURES.contains(context.dtype(0)))) {
      throw context.fault("categories are of another element type: input=" + context.dtype(0));
    }
    return List.of(new TensorType(DType.FLOAT32, context.shape(0).inserted(context.shape(0).rank(), form.count())));
  }

  private static List<TensorType> joined(TypeContext context) {
    FeatureForm form = FeatureForm.of(context.attributes());
    if (form.columns().length != context.inputCount()) {
      throw context.fault("one number of columns for each input is needed: inputdimensions=%d inputs=%d".formatted(form
        .columns().length, context.inputCount()));
    }
    for (int i = 0; i < context.inputCount(); i++) {
      Shape x = context.shape(i);
      if (!FEATURES.contains(context.dtype(i))) {
        throw context.fault("unsupported element type: input=%d dtype=%s".formatted(i, context.dtype(i)));
      }
      if (x.rank() < 1 || (x.rank() == 1 ? 1 : x.extent(0)) != rows(context)) {
        throw context.fault("inputs have different numbers of rows: input=%d shape=%s".formatted(i, x));
      }
    }
    return List.of(TensorType.of(DType.FLOAT32, rows(context), form.all()));
  }
}
