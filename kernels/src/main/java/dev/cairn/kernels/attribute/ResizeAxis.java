package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How {@code Resize} changes one axis.
 *
 * @param input its extent before
 * @param output its extent afterwards
 * @param scale by which positions are scaled; {@code input * scale} need not be whole
 * @param start of the region that is resized, with 0 for the first element and 1 for the last one
 * @param end of that region
 */
public record ResizeAxis(long input, long output, double scale, double start, double end) {
  /** How Resize of operator set 10 rounds: down where the axis grows, up where it shrinks. A value of Cairn's own. */
  public static final String FLOOR_OR_CEIL = "floor_or_ceil";

  /**
   * One for each axis of the input.
   *
   * @param roi all starts, then all ends; read by {@code tf_crop_and_resize} only
   * @param scales empty or null where {@code sizes} are given
   * @throws IllegalArgumentException when there is not exactly one of scales and sizes for each axis, or one is out of
   * range
   */
  public static ResizeAxis[] of(Attributes attributes, Shape input, @Nullable TensorView roi,
    @Nullable TensorView scales, @Nullable TensorView sizes) {
    int rank = input.rank();
    ResizeForm form = ResizeForm.of(attributes);
    int[] axes = Arrays.stream(form.axes(rank)).mapToInt(input::axis).toArray();
    boolean scaled = scales != null && scales.elementCount() > 0;
    TensorView given = scaled ? scales : sizes;
    if (given == null || given.elementCount() != axes.length || (scaled && sizes != null && sizes.elementCount() > 0)) {
      throw new IllegalArgumentException("either scales or sizes, one for each axis: axes=%d scales=%s sizes=%s"
        .formatted(axes.length, scales, sizes));
    }
    boolean crops = form.crops();
    if (crops && (roi == null || roi.elementCount() != 2L * axes.length)) {
      throw new IllegalArgumentException("a start and an end for each axis: axes=%d roi=%s".formatted(axes.length,
        roi));
    }
    var all = new ResizeAxis[rank];
    Arrays.setAll(all, axis -> new ResizeAxis(input.extent(axis), input.extent(axis), 1, 0, 1));
    double common = scaled ? 0 : common(form.policy(), input, axes, given);
    for (int i = 0; i < axes.length; i++) {
      double start = crops && roi != null ? roi.doubleAt(i) : 0;
      double end = crops && roi != null ? roi.doubleAt(i + axes.length) : 1;
      long extent = input.extent(axes[i]);
      all[axes[i]] = scaled
        ? byScale(extent, given.doubleAt(i), start, end)
        : bySize(extent, given.longAt(i), common, start, end);
    }
    return all;
  }

  private static ResizeAxis byScale(long extent, double scale, double start, double end) {
    double output = Math.floor(extent * scale * (end - start));
    if (!(scale > 0) || !(output >= 0 && output <= Integer.MAX_VALUE)) {
      throw new IllegalArgumentException("no such scale: scale=%s extent=%d".formatted(scale, extent));
    }
    return new ResizeAxis(extent, (long) output, scale, start, end);
  }

  private static ResizeAxis bySize(long extent, long size, double common, double start, double end) {
    if (size < 0 || size > Integer.MAX_VALUE || (extent == 0 && size > 0)) {
      throw new IllegalArgumentException("no such size: size=%d extent=%d".formatted(size, extent));
    }
    return common > 0
      ? new ResizeAxis(extent, (long) Math.floor(common * extent + 0.5), common, start, end)
      : new ResizeAxis(extent, size, extent == 0 ? 1 : (double) size / extent, start, end);
  }

  /** The scale of all axes that keeps the aspect ratio; 0 where each axis has its own. */
  private static double common(String policy, Shape input, int[] axes, TensorView sizes) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = 0;
    for (int i = 0; i < axes.length; i++) {
      double scale = (double) sizes.longAt(i) / input.extent(axes[i]);
      least = Math.min(least, scale);
      greatest = Math.max(greatest, scale);
    }
    return switch (policy) {
      case "stretch" -> 0;
      case "not_larger" -> least;
      case "not_smaller" -> greatest;
      default -> throw new IllegalArgumentException("no such policy: keep_aspect_ratio_policy=" + policy);
    };
  }

  /** Whether every element stays where it is. */
  public boolean isUntouched() {
    return input == output && scale == 1 && start == 0 && end == 1;
  }

  /**
   * The position along the input that an element of the output is made of.
   *
   * @param mode the attribute {@code coordinate_transformation_mode}
   * @throws IllegalArgumentException when there is no such mode
   */
  public double position(String mode, long index) {
    double extent = input * scale;
    return switch (mode) {
      case "half_pixel" -> (index + 0.5) / scale - 0.5;
      case "pytorch_half_pixel" -> extent == 1 ? -0.5 : (index + 0.5) / scale - 0.5;
      case "half_pixel_symmetric" -> input / 2.0 * (1 - output / extent) + (index + 0.5) / scale - 0.5;
      case "asymmetric" -> index / scale;
      case "tf_half_pixel_for_nn" -> (index + 0.5) / scale;
      case "align_corners" -> extent == 1 ? 0 : index * (input - 1) / (extent - 1);
      case "tf_crop_and_resize" -> start * (input - 1) + (extent == 1
        ? (end - start) * (input - 1) / 2
        : index * (end - start) * (input - 1) / (extent - 1));
      default -> throw new IllegalArgumentException("no such mode: coordinate_transformation_mode=" + mode);
    };
  }
}
