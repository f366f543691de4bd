package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.SECOND_DERIVATIVE;

import dev.cairn.kernels.attribute.CropAndResizeForm;
import dev.cairn.kernels.attribute.CropForm;
import dev.cairn.kernels.attribute.GridForm;
import dev.cairn.kernels.attribute.RegionForm;
import dev.cairn.kernels.attribute.ResizeAxis;
import dev.cairn.kernels.attribute.ResizeForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.BoundRule;
import dev.cairn.runtime.operator.ChannelsLastRule;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.ImageGradients;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operators that sample images at other positions, or cut regions out of them. */
public final class ImageFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("AffineGrid", 2, 2, ImageFamily::affineGrid, MemoryTraits.NONE).named("theta", "size")
      .gradient(ImageGradients::affineGrid),
    new OperatorDefinition("CenterCropPad", 2, 2, ImageFamily::centred, MemoryTraits.NONE).named("input_data", "shape")
      .gradient(ImageGradients::centerCropPad),
    new OperatorDefinition("CropAndResize", 4, 4, ImageFamily::resizedRegions, MemoryTraits.NONE).named("X", "rois",
      "batch_indices", "crop_size").ofDomain(OnnxFacts.MICROSOFT).noGradient(NOT_WRITTEN),
    new OperatorDefinition("GridSample", 2, 2, ImageFamily::gridSample, MemoryTraits.NONE).named("X", "grid")
      .gradient(ImageGradients::gridSample),
    new OperatorDefinition("GridSampleGradient", 3, 3, ImageFamily::gridSampleGradient, MemoryTraits.NONE).named("head",
      "X", "grid").noGradient(SECOND_DERIVATIVE),
    new OperatorDefinition("MaxRoiPool", 2, 2, ImageFamily::pooledRegions, MemoryTraits.NONE).named("X", "rois")
      .noGradient(NOT_WRITTEN),
    new OperatorDefinition("Resize", 1, 4, ImageFamily::resize, MemoryTraits.NONE).named("X", "roi", "scales", "sizes")
      .channelsLast(ChannelsLastRule.PIXELS).bounded(BoundRule.ofLargest(
        ImageFamily::resize))
      .gradient(ImageGradients::resize),
    new OperatorDefinition("RoiAlign", 3, 3, ImageFamily::regions, MemoryTraits.NONE).named("X", "rois",
      "batch_indices").gradient(ImageGradients::regions),
    new OperatorDefinition("RoiAlignGradient", 4, 4, ImageFamily::regionsGradient, MemoryTraits.NONE).named("head", "X",
      "rois", "batch_indices").noGradient(SECOND_DERIVATIVE));

  private ImageFamily() {}

  private static List<TensorType> resize(TypeContext context) {
    AdmittedTypes.NUMBERS.require(context, 0);
    ResizeForm form = ResizeForm.of(context.attributes());
    requireText(context, "mode", form.mode(), Set.of("nearest", "linear", "cubic"));
    requireText(context, "nearest_mode", form.rounding(), Set.of("round_prefer_floor", "round_prefer_ceil",
      "floor", "ceil", ResizeAxis.FLOOR_OR_CEIL));
    requireText(context, "coordinate_transformation_mode", form.coordinates(), Set.of("half_pixel",
      "pytorch_half_pixel", "half_pixel_symmetric", "asymmetric", "tf_half_pixel_for_nn", "align_corners",
      "tf_crop_and_resize"));
    TensorView roi = form.crops() ? optional(context, 1, AdmittedTypes.FLOATS) : null;
    ResizeAxis[] axes = ResizeAxis.of(context.attributes(), context.shape(0), roi,
      optional(context, 2, AdmittedTypes.SINGLE), optional(context, 3, AdmittedTypes.INT64));
    Shape result = Shape.of(Arrays.stream(axes).mapToLong(ResizeAxis::output).toArray());
    return List.of(context.input(0).withShape(result));
  }

  /** The value of an optional list; null where it is left out or empty. */
  private static @Nullable TensorView optional(TypeContext context, int input, AdmittedTypes admitted) {
    if (!context.has(input) || context.shape(input).elementCount() == 0) {
      return null;
    }
    admitted.require(context, input);
    return context.value(input);
  }

  private static void requireText(TypeContext context, String name, String given, Set<String> admitted) {
    if (!admitted.contains(given)) {
      throw context.fault("unknown value: %s=\"%s\"".formatted(name, given));
    }
  }

  /** {@code x[N,C,...]} and positions {@code [N,...,axes]}. */
  private static List<TensorType> gridSample(TypeContext context) {
    AdmittedTypes.NUMBERS.require(context, 0);
    AdmittedTypes.FLOATS.require(context, 1);
    return List.of(context.input(0).withShape(sampled(context, 0, 1)));
  }

  /** {@code (h, x, grid)} to the gradients of images and positions. */
  private static List<TensorType> gridSampleGradient(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1);
    AdmittedTypes.FLOATS.require(context, 2);
    context.requireShape(0, sampled(context, 1, 2), "not the shape of the result");
    return List.of(context.input(1), context.input(2));
  }

  /** The shape of samples of an operand at the positions of another. */
  private static Shape sampled(TypeContext context, int images, int positions) {
    GridForm form = GridForm.of(context.attributes());
    requireText(context, "mode", form.mode(), Set.of("linear", "bilinear", "nearest", "cubic", "bicubic"));
    requireText(context, "padding_mode", form.padding(), Set.of("zeros", "border", "reflection"));
    Shape x = context.shape(images);
    Shape grid = context.shape(positions);
    if (x.rank() < 3 || grid.rank() != x.rank() || grid.extent(-1) != x.rank() - 2 || grid.extent(0) != x.extent(0)) {
      throw context.fault("one position for each spatial axis is needed: input=%s grid=%s".formatted(x, grid));
    }
    long[] extents = x.extents();
    System.arraycopy(grid.extents(), 1, extents, 2, extents.length - 2);
    return Shape.of(extents);
  }

  /** Matrices {@code [N,axes,axes+1]} and the shape {@code N,C,...} of what is sampled. */
  private static List<TensorType> affineGrid(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0);
    long[] size = AdmittedTypes.INT64.list(context, 1);
    int axes = size.length - 2;
    if ((axes != 2 && axes != 3) || !context.shape(0).equals(Shape.of(size[0], axes, axes + 1))) {
      throw context.fault("a matrix for each image of 2 or 3 axes is needed: theta=%s size=%s".formatted(context.shape(
        0), Arrays.toString(size)));
    }
    long[] extents = new long[size.length];
    extents[0] = size[0];
    System.arraycopy(size, 2, extents, 1, axes);
    extents[axes + 1] = axes;
    return List.of(new TensorType(dtype, Shape.of(extents)));
  }

  /** {@code x[N,C,H,W]}, regions {@code [R,4]} and the image of each. */
  private static List<TensorType> regions(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1);
    return List.of(new TensorType(dtype, aligned(context, 0)));
  }

  /** {@code x[N,C,H,W]}, regions {@code [R,4]}, the image of each, and the rows and columns of results. */
  private static List<TensorType> resizedRegions(TypeContext context) {
    AdmittedTypes.SINGLE.require(context, 0, 1);
    AdmittedTypes.INDEXES.require(context, 2);
    CropAndResizeForm.of(context.attributes());
    Shape x = context.shape(0);
    Shape regions = context.shape(1);
    if (x.rank() != 4 || x.extent(2) == 0 || x.extent(3) == 0 || regions.rank() != 2 || regions.extent(1) != 4
      || !context.shape(2).equals(Shape.of(regions.extent(0)))) {
      throw context.fault("images N,C,H,W, regions [R,4] and R numbers of images are needed: x=%s rois=%s images=%s"
        .formatted(x, regions, context.shape(2)));
    }
    long[] size = AdmittedTypes.INDEXES.list(context, 3);
    if (size.length != 2 || size[0] < 1 || size[1] < 1) {
      throw context.fault("rows and columns are needed: crop_size=" + Arrays.toString(size));
    }
    return List.of(context.input(0).withShape(Shape.of(regions.extent(0), x.extent(1), size[0], size[1])));
  }

  /** {@code (h, x, rois, batch_indices)} to the gradient of the images. */
  private static List<TensorType> regionsGradient(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1, 2);
    context.requireShape(0, aligned(context, 1), "not the shape of the result");
    return List.of(context.input(1));
  }

  /** The shape of the bins of regions, which follow the images. */
  private static Shape aligned(TypeContext context, int images) {
    AdmittedTypes.INT64.require(context, images + 2);
    RegionForm form = RegionForm.of(context.attributes());
    requireText(context, "mode", form.mode(), Set.of("avg", "max"));
    requireText(context, "coordinate_transformation_mode", form.coordinates(),
      Set.of("half_pixel", "output_half_pixel"));
    Shape x = context.shape(images);
    Shape rois = context.shape(images + 1);
    if (x.rank() != 4 || rois.rank() != 2 || rois.extent(1) != 4 || !context.shape(images + 2).equals(Shape.of(rois
      .extent(0)))) {
      throw context.fault("images N,C,H,W, regions [R,4] and R numbers of images are needed: input=%s rois=%s images=%s"
        .formatted(x, rois, context.shape(images + 2)));
    }
    return Shape.of(rois.extent(0), x.extent(1), form.height(), form.width());
  }

  /** {@code x[N,C,H,W]}, and regions {@code [R,5]}: an image and two corners each. */
  private static List<TensorType> pooledRegions(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0, 1);
    Shape x = context.shape(0);
    Shape rois = context.shape(1);
    long[] bins = RegionForm.of(context.attributes()).pooled();
    boolean counted = bins.length == 2 && bins[0] > 0 && bins[1] > 0;
    if (x.rank() != 4 || rois.rank() != 2 || rois.extent(1) != 5 || !counted) {
      throw context.fault("images N,C,H,W, regions [R,5] and two numbers of bins are needed: input=%s rois=%s "
        .formatted(x, rois) + "pooled_shape=" + Arrays.toString(bins));
    }
    return List.of(new TensorType(dtype, Shape.of(rois.extent(0), x.extent(1), bins[0], bins[1])));
  }

  /** The middle part of some axes; if the wanted extent is greater, with zeros around it. */
  private static List<TensorType> centred(TypeContext context) {
    Shape data = context.shape(0);
    AdmittedTypes.INDEXES.require(context, 1);
    long[] wanted = AdmittedTypes.INDEXES.list(context, 1);
    long[] axes = CropForm.of(context.attributes()).axes(data.rank());
    if (axes.length != wanted.length) {
      throw context.fault("the numbers of axes and extents differ: axes=%d extents=%d".formatted(axes.length,
        wanted.length));
    }
    Axes.marked(context, axes, data.rank());
    for (int i = 0; i < axes.length; i++) {
      data = data.with(Axes.index(context, axes[i], data.rank()), wanted[i]);
    }
    return List.of(context.input(0).withShape(data));
  }
}
