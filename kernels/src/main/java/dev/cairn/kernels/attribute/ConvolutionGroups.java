package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * The groups of a convolution's channels. Each of {@code groups} groups of output channels reads its own group of input
 * channels. All groups have equal sizes.
 *
 * @param batch the number of images
 * @param outputs the number of output channels of all groups
 */
public record ConvolutionGroups(int batch, int groups, int inputsPerGroup, int outputs) {

  /**
   * Reads the attribute {@code group}.
   *
   * @param input {@code N,C,spatial...}
   * @param weights {@code M,C/group,kernel...}
   * @throws IllegalArgumentException if the numbers of channels do not match the groups
   */
  public static ConvolutionGroups of(Attributes attributes, Shape input, Shape weights) {
    long group = ConvolutionForm.of(attributes).group();
    boolean ranks = input.rank() == weights.rank() && input.rank() >= 3;
    if (!ranks || group < 1 || input.extent(1) != weights.extent(1) * group || weights.extent(0) % group != 0) {
      throw new IllegalArgumentException(
        "channels and groups do not fit: input=%s weights=%s group=%d".formatted(input, weights, group));
    }
    return new ConvolutionGroups(Math.toIntExact(input.extent(0)), Math.toIntExact(group),
      Math.toIntExact(weights.extent(1)), Math.toIntExact(weights.extent(0)));
  }

  public int outputsPerGroup() {
    return outputs / groups;
  }

  /** The index, over the whole batch, of the input plane for channel {@code channel} in the group of {@code output}. */
  public long inputChannel(int image, int output, int channel) {
    return ((long) image * groups + output / outputsPerGroup()) * inputsPerGroup + channel;
  }
}
