package dev.cairn.kernels.attribute;

/**
 * How {@code TreeEnsemble} of ai.onnx.ml joins its trees. Defaults are those of operator set 5.
 *
 * @param aggregate attribute {@code aggregate_function}: 0 mean, 1 sum, by default, 2 least, 3 greatest
 * @param transform attribute {@code post_transform}, by default 0: none
 */
public record TreeForm(long aggregate, long transform) {
  public static TreeForm of(Attributes attributes) {
    return new TreeForm(attributes.getLong("aggregate_function", 1), attributes.getLong("post_transform", 0));
  }
}
