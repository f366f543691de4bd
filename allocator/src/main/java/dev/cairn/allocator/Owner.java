package dev.cairn.allocator;

/**
 * A label for the owner of memory: an operator, one of its tensors, and the tensor's shape. A value; any part may be
 * empty. Create it once for each tensor and reuse it.
 *
 * @param operator the graph node, or another user of memory: {@code conv1}, {@code weights}
 * @param tensor the tensor's name: {@code conv1:0}
 * @param shape the tensor's type and shape: {@code f32[1,64,56,56]}
 */
public record Owner(String operator, String tensor, String shape) {
  /** No owner. */
  public static final Owner NONE = new Owner("", "", "");

  /** An owner with one label; {@link #NONE} if the label is empty. */
  public static Owner of(String label) {
    return label.isEmpty() ? NONE : new Owner(label, "", "");
  }

  /** A tensor of an operator. */
  public static Owner of(String operator, String tensor) {
    return new Owner(operator, tensor, "");
  }

  /** Whether all parts are empty. */
  public boolean isNone() {
    return operator.isEmpty() && tensor.isEmpty();
  }

  /** {@code operator/tensor} without empty parts; {@code (no owner)} if both are empty. */
  public String label() {
    if (isNone()) {
      return "(no owner)";
    }
    return operator.isEmpty() || tensor.isEmpty() ? operator + tensor : operator + "/" + tensor;
  }

  @Override
  public String toString() {
    return shape.isEmpty() ? label() : label() + " " + shape;
  }
}
