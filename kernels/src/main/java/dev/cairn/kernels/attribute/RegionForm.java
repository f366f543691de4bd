package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code RoiAlign}, its gradient and {@code MaxRoiPool}. Defaults are those of ONNX operator set 22.
 *
 * @param mode of RoiAlign: {@code avg}, by default, or {@code max}
 * @param coordinates attribute {@code coordinate_transformation_mode} of RoiAlign: {@code half_pixel}, by default, or
 *   {@code output_half_pixel}
 * @param scale attribute {@code spatial_scale}, by default 1: from coordinates of regions to those of the image
 * @param samples attribute {@code sampling_ratio} of RoiAlign, by default 0: along each axis of a bin; 0 for a number
 *   that follows from the region
 * @param height attribute {@code output_height} of RoiAlign, by default 1
 * @param width attribute {@code output_width} of RoiAlign, by default 1
 * @param pooled attribute {@code pooled_shape} of MaxRoiPool: rows and columns of bins
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RegionForm(String mode, String coordinates, float scale, long samples, long height, long width,
  long[] pooled) {
  public static RegionForm of(Attributes attributes) {
    return new RegionForm(attributes.getText("mode", "avg"), attributes.getText("coordinate_transformation_mode",
      "half_pixel"), attributes.getFloat("spatial_scale", 1), attributes.getLong("sampling_ratio", 0),
      attributes
        .getLong("output_height", 1),
      attributes.getLong("output_width", 1), attributes.getLongs("pooled_shape"));
  }
}
