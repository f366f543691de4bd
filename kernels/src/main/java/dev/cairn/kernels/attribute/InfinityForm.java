package dev.cairn.kernels.attribute;

/**
 * Which infinities {@code IsInf} detects: attributes {@code detect_positive} and {@code detect_negative}, both 1 by
 * default.
 */
public record InfinityForm(boolean positive, boolean negative) {
  public static InfinityForm of(Attributes attributes) {
    return new InfinityForm(attributes.getFlag("detect_positive", true), attributes.getFlag("detect_negative", true));
  }
}
