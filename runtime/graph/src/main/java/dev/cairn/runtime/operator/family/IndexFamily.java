package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.FOLLOWS_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.MOVES_QUANTIZED;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.CacheForm;
import dev.cairn.kernels.attribute.GatheredRows;
import dev.cairn.kernels.attribute.ReversalForm;
import dev.cairn.kernels.attribute.ScatterForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.RangeRule;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.IndexGradients;
import dev.cairn.runtime.operator.partial.ElementwisePartials;
import dev.cairn.runtime.operator.partial.SelectionPartials;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Operators that look up by index where elements come from or go to. Whether an index is within its axis is seen when
 * they run.
 */
public final class IndexFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Gather", 2, 2, IndexFamily::gather, MemoryTraits.NONE).named("data", "indices")
      .with(FOLLOWS_HALF, MOVES_QUANTIZED).ranged(RangeRule.SELECTED).partial(SelectionPartials::gather).withWeights(0)
      .gradient(IndexGradients::picked),
    new OperatorDefinition("GatherElements", 2, 2, IndexFamily::gatherElements, MemoryTraits.NONE).named("data",
      "indices").with(FOLLOWS_HALF).gradient(IndexGradients::picked),
    new OperatorDefinition("GatherND", 2, 2, IndexFamily::gatherSlices, MemoryTraits.NONE).named("data", "indices")
      .gradient(IndexGradients::picked),
    new OperatorDefinition("OneHot", 3, 3, IndexFamily::oneHot, MemoryTraits.NONE).named("indices", "depth", "values")
      .gradient(IndexGradients::hot),
    new OperatorDefinition("ReverseSequence", 2, 2, IndexFamily::reverse, MemoryTraits.NONE).named("input",
      "sequence_lens").partial(ElementwisePartials::same)
      .gradient(g -> g.give(0, g.again(g.attributes(), g.head(), g.operand(1)))),
    new OperatorDefinition("ScatterAdd", 2, 2, IndexFamily::scatterAdd, MemoryTraits.NONE).named("head", "indices")
      .gradient(IndexGradients::sums),
    new OperatorDefinition("ScatterElements", 3, 3, IndexFamily::scatterElements, MemoryTraits.NONE).named("data",
      "indices", "updates").gradient(IndexGradients::scatteredElements),
    new OperatorDefinition("ScatterND", 3, 3, IndexFamily::scatter, MemoryTraits.NONE).named("data", "indices",
      "updates").gradient(IndexGradients::scatteredSlices),
    new OperatorDefinition("TensorScatter", 2, 3, IndexFamily::scatterSequence, MemoryTraits.FIRST_IN_PLACE)
      .named("past_cache", "update", "write_indices").since(24).noGradient(NOT_WRITTEN));

  private static final Set<String> REDUCTIONS = Set.of("none", "add", "mul", "max", "min");

  private IndexFamily() {}

  /** The indexes' axes stand where the gathered axis was. */
  private static List<TensorType> gather(TypeContext context) {
    AdmittedTypes.INDEXES.require(context, 1);
    long[] data = context.shape(0).extents();
    long[] indexes = context.shape(1).extents();
    int axis = Axes.index(context, AxisForm.ofParts(context.attributes()).axis(), data.length);
    long[] extents = new long[data.length - 1 + indexes.length];
    System.arraycopy(data, 0, extents, 0, axis);
    System.arraycopy(indexes, 0, extents, axis, indexes.length);
    System.arraycopy(data, axis + 1, extents, axis + indexes.length, data.length - axis - 1);
    return List.of(context.input(0).withShape(Shape.of(extents)));
  }

  /** One element of the data for each index; on the other axes the indexes may not reach beyond the data. */
  private static List<TensorType> gatherElements(TypeContext context) {
    requireWithin(context);
    return List.of(context.input(0).withShape(context.shape(1)));
  }

  private static void requireWithin(TypeContext context) {
    AdmittedTypes.INDEXES.require(context, 1);
    Shape data = context.shape(0);
    Shape indexes = context.shape(1);
    int axis = Axes.index(context, AxisForm.ofParts(context.attributes()).axis(), data.rank());
    boolean within = indexes.rank() == data.rank();
    for (int i = 0; within && i < data.rank(); i++) {
      within = i == axis || indexes.extent(i) <= data.extent(i);
    }
    if (!within) {
      throw context.fault("indexes exceed the data's shape: data=%s indexes=%s axis=%d".formatted(data, indexes, axis));
    }
  }

  /** For each tuple of the indexes' last axis, the slice of the data at that place, batch by batch. */
  private static List<TensorType> gatherSlices(TypeContext context) {
    AdmittedTypes.INT64.require(context, 1);
    Shape data = context.shape(0);
    Shape indexes = context.shape(1);
    long batches = GatheredRows.batchAxes(context.attributes());
    boolean fits = indexes.rank() > 0 && batches >= 0 && batches < Math.min(indexes.rank(), data.rank())
      && indexes.extent(-1) >= 1 && indexes.extent(-1) <= data.rank() - batches;
    for (int axis = 0; fits && axis < batches; axis++) {
      fits = indexes.extent(axis) == data.extent(axis);
    }
    if (!fits) {
      throw context.fault("indexes and data do not fit: data=%s indexes=%s batch_dims=%d".formatted(data, indexes,
        batches));
    }
    int kept = (int) (batches + indexes.extent(-1));
    int picked = indexes.rank() - 1;
    long[] extents = Arrays.copyOf(indexes.extents(), picked + data.rank() - kept);
    System.arraycopy(data.extents(), kept, extents, picked, data.rank() - kept);
    return List.of(context.input(0).withShape(Shape.of(extents)));
  }

  /** {@code (indices, depth, [off, on])}: a new axis of extent {@code depth}. */
  private static List<TensorType> oneHot(TypeContext context) {
    AdmittedTypes.NUMBERS.require(context, 0);
    TensorView given = AdmittedTypes.NUMBERS.single(context, 1);
    context.requireShape(2, Shape.of(2), "two values are needed, off and on");
    long depth = given.dtype().isFloat() ? (long) given.doubleAt(0) : given.longAt(0);
    if (depth < 0) {
      throw context.fault("the depth is negative: depth=" + depth);
    }
    Shape indexes = context.shape(0);
    int axis = Axes.index(context, AxisForm.ofLines(context.attributes()).axis(), indexes.rank() + 1);
    return List.of(context.input(2).withShape(indexes.inserted(axis, depth)));
  }

  /** Either of the first two axes is the batch's, and the other one the time's. */
  private static List<TensorType> reverse(TypeContext context) {
    AdmittedTypes.INT64.require(context, 1);
    long batch = ReversalForm.of(context.attributes()).batchAxis();
    long time = ReversalForm.of(context.attributes()).timeAxis();
    Shape data = context.shape(0);
    if (data.rank() < 2 || Math.min(batch, time) != 0 || Math.max(batch, time) != 1) {
      throw context.fault("axes 0 and 1 are time and batch: data=%s batch_axis=%d time_axis=%d".formatted(data, batch,
        time));
    }
    context.requireShape(1, Shape.of(data.extent((int) batch)), "one length for each sequence is needed");
    return List.of(context.input(0));
  }

  private static void requireReduction(TypeContext context) {
    String reduction = ScatterForm.of(context.attributes()).reduction();
    if (!REDUCTIONS.contains(reduction)) {
      throw context.fault("unknown reduction: reduction=\"%s\"".formatted(reduction));
    }
    (reduction.equals("none") ? AdmittedTypes.NOT_NARROW : AdmittedTypes.NUMBERS).require(context, 0, 2);
  }

  /** One update for each index; on the other axes the indexes may not reach beyond the data. */
  private static List<TensorType> scatterElements(TypeContext context) {
    requireReduction(context);
    requireWithin(context);
    context.requireShape(2, context.shape(1), "one update for each index is needed");
    return List.of(context.input(0));
  }

  /**
   * {@code (h, indices)} to the shape that attribute {@code shape} gives: the gradient of the data that {@code Gather},
   * {@code GatherElements} or {@code GatherND} (attribute {@code of}) picked {@code h}'s elements from.
   */
  private static List<TensorType> scatterAdd(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    String picker = GatheredRows.picker(context.attributes());
    TypeContext picked = context.of(picker, context.attributes(), 2).withShape(0, GatheredRows.data(context
      .attributes()));
    List<TensorType> types = switch (picker) {
      case "Gather" -> gather(picked);
      case "GatherElements" -> gatherElements(picked);
      case "GatherND" -> gatherSlices(picked);
      default -> throw context.fault("elements are picked by Gather, GatherElements or GatherND: of=\"%s\"".formatted(
        picker));
    };
    context.requireShape(0, types.getFirst().shape(), "not the shape of what " + picker + " picks");
    return List.of(picked.input(0));
  }

  /** A cache, an update with fewer elements along one axis, and where to write it in each batch. */
  private static List<TensorType> scatterSequence(TypeContext context) {
    AdmittedTypes.ANY.require(context, 0, 1);
    Shape cache = context.shape(0);
    Shape update = context.shape(1);
    int axis = Axes.index(context, CacheForm.of(context.attributes()).axis(), cache.rank());
    String mode = CacheForm.of(context.attributes()).mode();
    if (axis == 0 || !Set.of("linear", "circular").contains(mode)) {
      throw context.fault("an axis after the batch, and mode linear or circular: axis=%d mode=\"%s\"".formatted(axis,
        mode));
    }
    if (update.rank() != cache.rank() || !update.with(axis, 0).equals(cache.with(axis, 0))
      || update.extent(axis) > cache.extent(axis)) {
      throw context.fault("the update does not fit the cache: cache=%s update=%s axis=%d".formatted(cache, update,
        axis));
    }
    if (context.has(2)) {
      AdmittedTypes.INT64.require(context, 2);
      context.requireShape(2, Shape.of(cache.extent(0)), "one index for each batch is needed");
    }
    return List.of(context.input(0));
  }

  /** The indexes' last axis has the first indexes of a slice of the data; the updates have one such slice for each. */
  private static List<TensorType> scatter(TypeContext context) {
    requireReduction(context);
    AdmittedTypes.INT64.require(context, 1);
    Shape data = context.shape(0);
    Shape indexes = context.shape(1);
    if (data.rank() == 0 || indexes.rank() == 0 || indexes.extent(-1) > data.rank()) {
      throw context.fault("indexes name more axes than there are: data=%s indexes=%s".formatted(data, indexes));
    }
    int named = Math.toIntExact(indexes.extent(-1));
    int slices = indexes.rank() - 1;
    long[] wanted = Arrays.copyOf(indexes.extents(), slices + data.rank() - named);
    System.arraycopy(data.extents(), named, wanted, slices, data.rank() - named);
    context.requireShape(2, Shape.of(wanted), "one slice for each index is needed");
    return List.of(context.input(0));
  }
}
