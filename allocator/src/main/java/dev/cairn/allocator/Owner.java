package dev.cairn.allocator;

/**
 * Who holds memory: an operator, one of its tensors, and that tensor's shape. A value; any part may be empty. Made once
 * for each tensor of a plan, and then handed to allocators as often as need be.
 *
 * @param operator the node of a graph, or whatever else asks for memory: {@code conv1}, {@code weights}
 * @param tensor which of its tensors: {@code conv1:0}
 * @param shape what the tensor looks like: {@code f32[1,64,56,56]}
 */
public record Owner(String operator, String tensor, String shape) {
  /** Nobody in particular. */
  public static final Owner NONE = new Owner("", "", "");

  /** An owner known by one label; {@link #NONE} for the empty one. */
  public static Owner of(String label) {
    return label.isEmpty() ? NONE : new Owner(label, "", "");
  }

  /** A tensor of an operator. */
  public static Owner of(String operator, String tensor) {
    return new Owner(operator, tensor, "");
  }

  /** Whether nothing is known. */
  public boolean isNone() {
    return operator.isEmpty() && tensor.isEmpty();
  }

  /** {@code operator/tensor} without the parts that are empty, {@code (no owner)} where both are. */
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
