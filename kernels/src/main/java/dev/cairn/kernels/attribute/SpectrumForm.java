package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code STFT} and {@code MelWeightMatrix}. {@link TransformedAxis} has those of {@code DFT}.
 * Defaults are those of ONNX operator set 22.
 *
 * @param isOnesided attribute {@code onesided} of STFT, by default 1: whether the result is the first half of a
 *   spectrum
 * @param dtype attribute {@code output_datatype} of MelWeightMatrix, by default {@code float32}
 */
public record SpectrumForm(boolean isOnesided, String dtype) {
  public static SpectrumForm of(Attributes attributes) {
    return new SpectrumForm(attributes.getFlag("onesided", true), attributes.getText("output_datatype", "float32"));
  }
}
