package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code CropAndResize} of com.microsoft.
 *
 * @param isNearest attribute {@code mode}: whether a sample is the nearest element, {@code nearest}, instead of a mix
 *   of the four around it, {@code bilinear}, by default
 * @param outside attribute {@code extrapolation_value}, by default 0: what lies outside of an image
 */
public record CropAndResizeForm(boolean isNearest, float outside) {
  /** @throws IllegalArgumentException if there is no such mode */
  public static CropAndResizeForm of(Attributes attributes) {
    String mode = attributes.getText("mode", "bilinear");
    if (!mode.equals("bilinear") && !mode.equals("nearest")) {
      throw new IllegalArgumentException("unknown value: mode=\"%s\"".formatted(mode));
    }
    return new CropAndResizeForm(mode.equals("nearest"), attributes.getFloat("extrapolation_value", 0));
  }
}
