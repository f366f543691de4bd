package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A product of two operands as a product of matrices. What is none stays an {@code Einsum}: a term with an ellipsis, a
 * letter twice, or a letter that neither the other term nor the result has.
 *
 * <pre>
 * bqhd,bkhd->bhqk      →      a = Transpose(q) to bhqd,  b = Transpose(k) to bhdk,  MatMul(a, b)
 * </pre>
 */
final class EinsumExpansion implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    String[] sides = old.attributes().getText("equation", "").replace(" ", "").split("->", -1);
    String[] terms = sides[0].split(",", -1);
    if (old.inputs().size() != 2 || terms.length != 2 || sides.length > 2) {
      return scope.node(old);
    }
    String result = sides.length == 2 ? sides[1] : once(terms[0] + terms[1]);
    if (!isProduct(terms[0], terms[1], result) || !isProduct(terms[1], terms[0], result)) {
      return scope.node(old);
    }
    return new Product(old, scope, terms[0], terms[1], result).results();
  }

  /** The letters that occur once, in alphabetical order. */
  private static String once(String letters) {
    return letters.chars().sorted().filter(it -> letters.indexOf(it) == letters.lastIndexOf(it)).mapToObj(
      Character::toString).collect(Collectors.joining());
  }

  private static boolean isProduct(String term, String other, String result) {
    return term.chars().allMatch(Character::isLetter) && term.chars().distinct().count() == term.length()
      && term.chars().allMatch(it -> other.indexOf(it) >= 0 || result.indexOf(it) >= 0)
      && result.chars().allMatch(it -> term.indexOf(it) >= 0 || other.indexOf(it) >= 0)
      && result.chars().distinct().count() == result.length();
  }

  /** The nodes of one product. */
  private record Product(OldNode old, UpgradeScope scope, String left, String right, String result) {

    List<NodeEntry> results() {
      String batch = kept(result, left, right);
      String rows = without(kept(result, left, left), batch);
      String columns = without(kept(result, right, right), batch);
      String summed = without(kept(left, right, right), batch);
      NodeEntry a = transposed(old.input(0), left, batch + rows + summed);
      NodeEntry b = transposed(old.input(1), right, batch + summed + columns);
      NodeEntry product = node("MatMul", matrices(a, batch.length(), rows.length(), summed.length()), matrices(b, batch
        .length(), summed.length(), columns.length()));
      if (rows.length() != 1 || columns.length() != 1) {
        List<NodeEntry> parts = new ArrayList<>();
        addExtents(parts, a, 0, batch.length() + rows.length());
        addExtents(parts, b, batch.length() + summed.length(), right.length());
        product = reshaped(product, parts);
      }
      String order = batch + rows + columns;
      return order.equals(result)
        ? scope.node(old.as("Identity", Attributes.NONE, product))
        : scope.node(old.as("Transpose", order(order, result), product));
    }

    /** The letters that two other terms have, in their order. */
    private static String kept(String letters, String one, String other) {
      return letters.chars().filter(it -> one.indexOf(it) >= 0 && other.indexOf(it) >= 0).mapToObj(Character::toString)
        .collect(Collectors.joining());
    }

    private static String without(String letters, String others) {
      return letters.chars().filter(it -> others.indexOf(it) < 0).mapToObj(Character::toString).collect(Collectors
        .joining());
    }

    private static Attributes order(String from, String to) {
      return Attributes.NONE.with("perm", AttributeValue.Ints.of(to.chars().mapToLong(from::indexOf).toArray()));
    }

    private NodeEntry transposed(NodeEntry operand, String from, String to) {
      return from.equals(to) ? operand : scope.node(old, "Transpose", order(from, to), operand);
    }

    /** An operand with its first axes as they are, and then two axes of what is left. */
    private NodeEntry matrices(NodeEntry operand, int batch, int rows, int columns) {
      if (rows == 1 && columns == 1) {
        return operand;
      }
      List<NodeEntry> parts = new ArrayList<>();
      addExtents(parts, operand, 0, batch);
      parts.add(count(operand, batch, batch + rows));
      parts.add(count(operand, batch + rows, batch + rows + columns));
      return reshaped(operand, parts);
    }

    private void addExtents(List<NodeEntry> parts, NodeEntry of, long first, long end) {
      if (end > first) {
        parts.add(extents(of, first, end));
      }
    }

    private NodeEntry extents(NodeEntry of, long first, long end) {
      return scope.node(old, "Shape", Attributes.NONE.with("start", first).with("end", end), of);
    }

    /** How many elements some axes have together; 1 where there are none. */
    private NodeEntry count(NodeEntry of, long first, long end) {
      return end == first ? scope.longs(old, "one", 1) : node("ReduceProd", extents(of, first, end));
    }

    private NodeEntry reshaped(NodeEntry operand, List<NodeEntry> parts) {
      NodeEntry shape = parts.isEmpty()
        ? scope.longs(old, "shape")
        : scope.node(old, "Concat", Attributes.NONE.with("axis", 0), parts.toArray(NodeEntry[]::new));
      // An extent of 0 is one, not the operand's.
      return scope.node(old, "Reshape", Attributes.NONE.with("allowzero", 1), operand, shape);
    }

    private NodeEntry node(String operator, NodeEntry... inputs) {
      return scope.node(old, operator, Attributes.NONE, inputs);
    }
  }
}
