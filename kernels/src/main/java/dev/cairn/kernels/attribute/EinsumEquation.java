package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The equation of an {@code Einsum} with its operands' shapes: sums over all letters that the result lacks of products
 * of the operands' elements. A letter twice in a term is a diagonal. The axes of an ellipsis stretch as NumPy
 * broadcasts. Without a result, it is the ellipsis and then the letters that occur once, in alphabetical order.
 */
public final class EinsumEquation {
  private static final String ELLIPSIS = "...";
  /** Axes of the ellipsis are named by numbers below every letter, the innermost one by this. */
  private static final int INNERMOST = -1;

  private final long[] extents;
  private final int kept;
  private final long[][] strides;
  private final int[][] places;

  private EinsumEquation(long[] extents, int kept, long[][] strides, int[][] places) {
    this.extents = extents;
    this.kept = kept;
    this.strides = strides;
    this.places = places;
  }

  /** The attribute {@code equation}; empty where it is missing, which the operator does not admit. */
  public static String text(Attributes attributes) {
    return attributes.getText("equation", "");
  }

  /** @throws IllegalArgumentException when equation and operands do not fit */
  public static EinsumEquation of(String equation, List<Shape> operands) {
    String[] sides = equation.replace(" ", "").split("->", -1);
    String[] terms = sides[0].split(",", -1);
    if (sides.length > 2 || terms.length != operands.size()) {
      throw fault("one term for each operand is needed", equation, operands);
    }
    List<List<Integer>> named = new ArrayList<>();
    Map<Integer, Long> known = new TreeMap<>();
    for (int i = 0; i < terms.length; i++) {
      List<Integer> labels = labels(terms[i], operands.get(i).rank() - letters(terms[i]));
      if (labels.size() != operands.get(i).rank()) {
        throw fault("a term names other axes than its operand has: term=" + terms[i], equation, operands);
      }
      if (!addExtents(labels, operands.get(i), known)) {
        throw fault("extents of one letter differ: term=" + terms[i], equation, operands);
      }
      named.add(labels);
    }
    int stretched = (int) known.keySet().stream().filter(label -> label < 0).count();
    List<Integer> result = sides.length == 2 ? labels(sides[1], stretched) : implicit(sides[0], known);
    if (!known.keySet().containsAll(result) || result.stream().distinct().count() != result.size()) {
      throw fault("the result names a letter twice, or one that no term has", equation, operands);
    }
    List<Integer> all = new ArrayList<>(result);
    known.keySet().stream().filter(label -> !result.contains(label)).forEach(all::add);
    long[][] strides = new long[terms.length][];
    Arrays.setAll(strides, i -> strides(named.get(i), operands.get(i), all));
    int[][] places = new int[terms.length][];
    Arrays.setAll(places, i -> places(named.get(i), operands.get(i), all));
    return new EinsumEquation(all.stream().mapToLong(label -> known.getOrDefault(label, 1L)).toArray(), result.size(),
      strides, places);
  }

  /** False when an axis has another extent than is known. */
  private static boolean addExtents(List<Integer> labels, Shape operand, Map<Integer, Long> known) {
    for (int axis = 0; axis < labels.size(); axis++) {
      int label = labels.get(axis);
      long extent = operand.extent(axis);
      long before = known.getOrDefault(label, extent);
      boolean stretches = label < 0 && (before == 1 || extent == 1);
      if (before != extent && !stretches) {
        return false;
      }
      known.put(label, before == 1 ? extent : before);
    }
    return true;
  }

  private static int letters(String term) {
    return term.replace(ELLIPSIS, "").length();
  }

  /** The axes that a term names; an ellipsis stands for that many axes. */
  private static List<Integer> labels(String term, int stretched) {
    List<Integer> labels = new ArrayList<>();
    for (int at = 0; at < term.length(); at++) {
      if (term.startsWith(ELLIPSIS, at)) {
        for (int axis = stretched - 1; axis >= 0; axis--) {
          labels.add(INNERMOST - axis);
        }
        at += ELLIPSIS.length() - 1;
      } else if (Character.isLetter(term.charAt(at))) {
        labels.add((int) term.charAt(at));
      } else {
        throw new IllegalArgumentException("not a letter: term=%s at=%d".formatted(term, at));
      }
    }
    return labels;
  }

  private static List<Integer> implicit(String terms, Map<Integer, Long> known) {
    return known.keySet().stream().filter(label -> label < 0 || terms.chars().filter(it -> it == label).count() == 1)
      .toList();
  }

  private static long[] strides(List<Integer> labels, Shape operand, List<Integer> all) {
    long[] strides = new long[all.size()];
    long step = 1;
    for (int axis = operand.rank() - 1; axis >= 0; axis--) {
      boolean repeats = labels.get(axis) < 0 && operand.extent(axis) == 1;
      strides[all.indexOf(labels.get(axis))] += repeats ? 0 : step;
      step *= operand.extent(axis);
    }
    return strides;
  }

  private static int[] places(List<Integer> labels, Shape operand, List<Integer> all) {
    return IntStream.range(0, operand.rank()).map(axis -> labels.get(axis) < 0 && operand.extent(axis) == 1
      ? -1
      : all.indexOf(labels.get(axis))).toArray();
  }

  private static IllegalArgumentException fault(String what, String equation, List<Shape> operands) {
    return new IllegalArgumentException("%s: equation=%s operands=%s".formatted(what, equation, operands));
  }

  /** Axes of the index space: first the result's letters, then the letters that are summed over. */
  public int axes() {
    return extents.length;
  }

  /** How many axes the result has. */
  public int kept() {
    return kept;
  }

  public long extent(int axis) {
    return extents[axis];
  }

  /** How far apart neighbours along an axis of the index space are in an operand, in elements; 0 where it repeats. */
  public long stride(int operand, int axis) {
    return strides[operand][axis];
  }

  /** By axis of an operand, the axis of the index space; -1 where its one element repeats. */
  public int[] places(int operand) {
    return places[operand].clone();
  }

  public Shape result() {
    return Shape.of(Arrays.copyOf(extents, kept));
  }
}
