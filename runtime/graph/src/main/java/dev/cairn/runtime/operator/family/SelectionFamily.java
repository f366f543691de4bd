package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.BoxSelection;
import dev.cairn.kernels.attribute.CopiedWords;
import dev.cairn.kernels.attribute.DistinctSlices;
import dev.cairn.kernels.attribute.TopForm;
import dev.cairn.kernels.attribute.WarpingPath;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.IndexGradients;
import dev.cairn.runtime.operator.partial.PartialRule;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Operators that select some of their elements. Values decide the number of results, so the operators have bounds: but
 * for {@code TopK} with a constant {@code k}, a graph that has one is planned in parts.
 */
public final class SelectionFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("BifurcationDetector", 3, 4, SelectionFamily::copied, MemoryTraits.NONE).named("src_tokens",
      "cur_tokens", "prev_suffix_match_idx", "pred_tokens").bounded(context -> Optional.of(mostWords(context)))
      .partial(PartialRule.ofElement(DType.INT64)).ofDomain(OnnxFacts.MICROSOFT).zeroGradient("it compares words"),
    new OperatorDefinition("Compress", 2, 2, SelectionFamily::compress, MemoryTraits.NONE).named("input", "condition")
      .bounded(
        context -> Optional.of(List.of(allSlices(context))))
      .noGradient(NOT_WRITTEN),
    new OperatorDefinition("DynamicTimeWarping", 1, 1, SelectionFamily::warped, MemoryTraits.NONE, TypeContext::found)
      .bounded(context -> Optional.of(List.of(TensorType.of(DType.INT32, 2, longest(context)))))
      .partial(PartialRule.ofElement(DType.INT32)).ofDomain(OnnxFacts.MICROSOFT)
      .zeroGradient("its results are places"),
    new OperatorDefinition("NonMaxSuppression", 2, 5, SelectionFamily::boxes, MemoryTraits.NONE, TypeContext::found)
      .named("boxes", "scores", "max_output_boxes_per_class", "iou_threshold", "score_threshold")
      .bounded(SelectionFamily::mostBoxes).partial(PartialRule.ofElement(DType.INT64))
      .zeroGradient("its results are places"),
    new OperatorDefinition("NonZero", 1, 1, SelectionFamily::nonZero, MemoryTraits.NONE).bounded(
      context -> Optional.of(List.of(TensorType.of(DType.INT64, context.shape(0).rank(), context.shape(0)
        .elementCount()))))
      .partial(PartialRule.ofElement(DType.INT64)).zeroGradient("its results are places"),
    new OperatorDefinition("TopK", 2, 2, SelectionFamily::top, MemoryTraits.NONE).named("X", "K").bounded(
      context -> Optional.of(top(context, context.input(0)))).gradient(IndexGradients::largest),
    new OperatorDefinition("Unique", 1, 1, SelectionFamily::unique, MemoryTraits.NONE).bounded(
      SelectionFamily::mostSlices).noGradient(NOT_WRITTEN));

  private SelectionFamily() {}

  /** The condition may be shorter than the axis, but not true beyond it. */
  private static List<TensorType> compress(TypeContext context) {
    AdmittedTypes.BOOLEANS.require(context, 1);
    Shape data = allSlices(context).shape();
    int axis = Axes.index(context, AxisForm.ofParts(context.attributes()).axis(), data.rank());
    if (context.shape(1).rank() != 1) {
      throw context.fault("not a list: input=1 shape=" + context.shape(1));
    }
    TensorView condition = context.value(1);
    long[] chosen = LongStream.range(0, condition.elementCount()).filter(i -> condition.longAt(i) != 0).toArray();
    if (chosen.length > 0 && chosen[chosen.length - 1] >= data.extent(axis)) {
      throw context.fault("the condition is true beyond the axis: index=%d extent=%d"
        .formatted(chosen[chosen.length - 1], data.extent(axis)));
    }
    return List.of(context.input(0).withShape(data.with(axis, chosen.length)));
  }

  private static List<TensorType> copied(TypeContext context) {
    List<TensorType> most = mostWords(context);
    CopiedWords copied = CopiedWords.of(context.attributes(), context.value(0), context.value(1), context.value(2),
      context.has(3) ? context.value(3) : null);
    List<TensorType> types = new ArrayList<>(most);
    types.set(0, TensorType.of(DType.INT64, copied.words().length));
    return types;
  }

  /** Predicted words follow those that are there. */
  private static List<TensorType> mostWords(TypeContext context) {
    AdmittedTypes.INT64.require(context, 0, 1, 2, 3);
    AdmittedTypes.requireSingle(context, 2);
    for (int input : new int[] {0, 1, 3}) {
      if (context.has(input) && context.shape(input).rank() != 1) {
        throw context.fault("not a list: input=%d shape=%s".formatted(input, context.shape(input)));
      }
    }
    long predicted = context.has(3) ? context.shape(3).elementCount() : 0;
    return List.of(TensorType.of(DType.INT64, context.shape(1).elementCount() + predicted), context.input(2)).subList(0,
      Math.min(2, context.outputCount()));
  }

  private static List<TensorType> warped(TypeContext context) {
    if (longest(context) == 0) {
      return List.of(TensorType.of(DType.INT32, 2, 0));
    }
    int[] path = WarpingPath.of(context.value(0));
    TensorType type = TensorType.of(DType.INT32, 2, path.length / 2);
    context.keepFound(new TensorView(type, MemorySegment.ofArray(path)));
    return List.of(type);
  }

  /** How many elements a path through a matrix of costs can have. */
  private static long longest(TypeContext context) {
    AdmittedTypes.SINGLE.require(context, 0);
    Shape costs = context.shape(0);
    if (costs.rank() != 2 && !(costs.rank() == 3 && costs.extent(0) == 1)) {
      throw context.fault("a matrix of costs is needed: input=" + costs);
    }
    long rows = costs.extent(-2);
    long columns = costs.extent(-1);
    return rows == 0 || columns == 0 ? 0 : rows + columns - 1;
  }

  private static List<TensorType> boxes(TypeContext context) {
    AdmittedTypes.SINGLE.require(context, 0, 1);
    Shape boxes = context.shape(0);
    Shape scores = context.shape(1);
    if (boxes.rank() != 3 || scores.rank() != 3 || boxes.extent(2) != 4 || boxes.extent(0) != scores.extent(0)
      || boxes.extent(1) != scores.extent(2)) {
      throw context.fault("boxes [batch,box,4] and scores [batch,class,box] are needed: boxes=%s scores=%s"
        .formatted(boxes, scores));
    }
    @Nullable
    TensorView[] limits = new TensorView[3];
    for (int i = 0; i < limits.length; i++) {
      if (context.has(i + 2)) {
        limits[i] = (i == 0 ? AdmittedTypes.INT64 : AdmittedTypes.SINGLE).single(context, i + 2);
      }
    }
    if (limits[0] == null || limits[0].longAt(0) <= 0) {
      return List.of(TensorType.of(DType.INT64, 0, 3));
    }
    long[] selected = BoxSelection.of(context.attributes(), context.value(0), context.value(1), limits);
    TensorType type = TensorType.of(DType.INT64, selected.length / 3, 3);
    context.keepFound(new TensorView(type, MemorySegment.ofArray(selected)));
    return List.of(type);
  }

  private static List<TensorType> nonZero(TypeContext context) {
    TensorView x = context.value(0);
    long count = LongStream.range(0, x.elementCount()).filter(i -> x.doubleAt(i) != 0).count();
    return List.of(TensorType.of(DType.INT64, context.shape(0).rank(), count));
  }

  private static List<TensorType> top(TypeContext context) {
    AdmittedTypes.NUMBERS.require(context, 0);
    Shape data = context.shape(0);
    int axis = Axes.index(context, TopForm.of(context.attributes()).axis(), data.rank());
    long k = AdmittedTypes.INT64.single(context, 1).longAt(0);
    if (k < 0 || k > data.extent(axis)) {
      throw context.fault("more elements are asked for than there are: k=%d axis=%d extent=%d".formatted(k, axis, data
        .extent(axis)));
    }
    return top(context, context.input(0).withShape(data.with(axis, k)));
  }

  private static List<TensorType> top(TypeContext context, TensorType values) {
    return context.first(values, values.withDType(DType.INT64));
  }

  /** All slices of the data along the axis, or all elements where there is no axis. */
  private static TensorType allSlices(TypeContext context) {
    TensorType data = context.input(0);
    return AxisForm.ofParts(context.attributes()).isGiven()
      ? data
      : data.withShape(Shape.of(data.shape().elementCount()));
  }

  private static Optional<List<TensorType>> mostSlices(TypeContext context) {
    TensorType data = allSlices(context);
    TensorType places = TensorType.of(DType.INT64,
      data.shape().extent(Axes.index(context, AxisForm.ofParts(context.attributes()).axis(), data.shape()
        .rank())));
    return Optional.of(context.first(data, places, places, places));
  }

  /** All boxes of each batch and class, or as many as are wanted. */
  private static Optional<List<TensorType>> mostBoxes(TypeContext context) {
    Shape scores = context.shape(1);
    long boxes = scores.extent(2);
    long most = context.has(2) ? context.knownValue(2).map(it -> Math.clamp(it.longAt(0), 0, boxes)).orElse(boxes) : 0;
    return Optional.of(List.of(TensorType.of(DType.INT64, scores.extent(0) * scores.extent(1) * most, 3)));
  }

  private static List<TensorType> unique(TypeContext context) {
    Shape data = allSlices(context).shape();
    int axis = Axes.index(context, AxisForm.ofParts(context.attributes()).axis(), data.rank());
    DistinctSlices distinct = DistinctSlices.of(context.attributes(), context.value(0));
    long count = distinct.first().length;
    TensorType places = TensorType.of(DType.INT64, count);
    return context.first(context.input(0).withShape(data.with(axis, count)), places,
      TensorType.of(DType.INT64, data.extent(axis)), places);
  }
}
