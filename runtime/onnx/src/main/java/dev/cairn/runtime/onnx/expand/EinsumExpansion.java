package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A product of two operands as a product of matrices. Any other equation stays an {@code Einsum}: a term with an
 * ellipsis, a letter twice, a letter that neither the other term nor the result has, and a product that sums nothing. A
 * pass contracts these, and those of more operands, when extents are known.
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
    boolean isSummed = terms[0].chars().anyMatch(it -> terms[1].indexOf(it) >= 0 && result.indexOf(it) < 0);
    if (!isSummed || !isProduct(terms[0], terms[1], result) || !isProduct(terms[1], terms[0], result)) {
      return scope.node(old);
    }
    return new Product(new Replacement(old, scope), terms[0], terms[1], result).results();
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
  private record Product(Replacement made, String left, String right, String result) {

    List<NodeEntry> results() {
      String batch = kept(result, left, right);
      String rows = without(kept(result, left, left), batch);
      String columns = without(kept(result, right, right), batch);
      String summed = without(kept(left, right, right), batch);
      GraphExpression a = transposed(made.input(0), left, batch + rows + summed);
      GraphExpression b = transposed(made.input(1), right, batch + summed + columns);
      GraphExpression matrices = matrices(a, batch.length(), rows.length(), summed.length());
      GraphExpression product = matrices.matmul(matrices(b, batch.length(), summed.length(), columns.length()));
      if (rows.length() != 1 || columns.length() != 1) {
        List<GraphExpression> parts = new ArrayList<>();
        addExtents(parts, a, 0, batch.length() + rows.length());
        addExtents(parts, b, batch.length() + summed.length(), right.length());
        product = reshaped(product, parts);
      }
      String order = batch + rows + columns;
      GraphExpression last = made.last(product);
      return (order.equals(result) ? last.identity() : last.transpose(order(order, result))).results();
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

    private static int[] order(String from, String to) {
      return to.chars().map(from::indexOf).toArray();
    }

    private static GraphExpression transposed(GraphExpression operand, String from, String to) {
      return from.equals(to) ? operand : operand.transpose(order(from, to));
    }

    /** An operand with its first axes as they are, and then two axes of what is left. */
    private GraphExpression matrices(GraphExpression operand, int batch, int rows, int columns) {
      if (rows == 1 && columns == 1) {
        return operand;
      }
      List<GraphExpression> parts = new ArrayList<>();
      addExtents(parts, operand, 0, batch);
      parts.add(count(operand, batch, batch + rows));
      parts.add(count(operand, batch + rows, batch + rows + columns));
      return reshaped(operand, parts);
    }

    private static void addExtents(List<GraphExpression> parts, GraphExpression of, long first, long end) {
      if (end > first) {
        parts.add(extents(of, first, end));
      }
    }

    private static GraphExpression extents(GraphExpression of, long first, long end) {
      return of.extents(Attributes.NONE.with("start", first).with("end", end));
    }

    /** How many elements some axes have together; 1 where there are none. */
    private GraphExpression count(GraphExpression of, long first, long end) {
      return end == first
        ? made.longs("one", 1)
        : extents(of, first, end).call("ReduceProd", Attributes.NONE);
    }

    private GraphExpression reshaped(GraphExpression operand, List<GraphExpression> parts) {
      GraphExpression shape = parts.isEmpty()
        ? made.longs("shape")
        : parts.getFirst().concat(0, parts.subList(1, parts.size()));
      return operand.reshape(shape);
    }
  }
}
