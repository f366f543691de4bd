package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code GroupNormalization}, and of {@code InstanceNormalization}, which has a group for each
 * channel.
 *
 * @param groups how many groups of neighbouring channels an image has; 0 where the attribute is missing, which the
 *   operator does not admit
 * @param epsilon what is added to a group's variance
 */
public record NormalizedGroups(long groups, float epsilon) {
  public static NormalizedGroups of(Attributes attributes) {
    return new NormalizedGroups(attributes.getLong("num_groups", 0), attributes.getFloat("epsilon", 1e-5f));
  }

  /** A group for each channel. */
  public static NormalizedGroups ofChannels(Attributes attributes, long channels) {
    return new NormalizedGroups(channels, attributes.getFloat("epsilon", 1e-5f));
  }
}
