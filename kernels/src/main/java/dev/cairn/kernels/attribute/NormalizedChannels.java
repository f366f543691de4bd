package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code BatchNormalization} and its gradient.
 *
 * @param epsilon what is added to a channel's variance
 * @param momentum the part of the running statistics that an iteration of training keeps
 * @param isTraining whether the batch's own statistics normalise it
 */
public record NormalizedChannels(float epsilon, float momentum, boolean isTraining) {
  public static NormalizedChannels of(Attributes attributes) {
    return new NormalizedChannels(attributes.getFloat("epsilon", 1e-5f), attributes.getFloat("momentum", 0.9f),
      attributes.getFlag("training_mode", false));
  }
}
