package dev.cairn.runtime.operator.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Rules against naive models on seeded random shapes. */
class RandomShapesTest {
  private static final int ROUNDS = 2_000;

  private final Random random = new Random(20_26);

  @Test
  void broadcastingAgreesWithTheDefinition() {
    int agreeing = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<Shape> shapes = List.of(shape(0, 4, 2), shape(0, 4, 2), shape(0, 4, 2));
      Optional<Shape> wanted = naiveBroadcast(shapes);
      assertThat(results("Sum", 1, shapes)).as("%s", shapes).isEqualTo(wanted.map(List::of));
      agreeing += wanted.isPresent() ? 1 : 0;
    }
    assertThat(agreeing).isBetween(ROUNDS / 20, ROUNDS - ROUNDS / 20);
  }

  /** An extent is the only one that is not 1, or 1; aligned at the last axis. */
  private static Optional<Shape> naiveBroadcast(List<Shape> shapes) {
    int rank = shapes.stream().mapToInt(Shape::rank).max().orElse(0);
    long[] extents = new long[rank];
    for (int fromEnd = 1; fromEnd <= rank; fromEnd++) {
      Set<Long> found = new HashSet<>();
      for (Shape shape : shapes) {
        if (shape.rank() >= fromEnd) {
          found.add(shape.extent(-fromEnd));
        }
      }
      found.remove(1L);
      if (found.size() > 1) {
        return Optional.empty();
      }
      extents[rank - fromEnd] = found.isEmpty() ? 1 : found.iterator().next();
    }
    return Optional.of(Shape.of(extents));
  }

  @Test
  void reductionsKeepWhatIsNotReduced() {
    for (int round = 0; round < ROUNDS; round++) {
      Shape shape = shape(1, 5, 4);
      Set<Integer> axes = new TreeSet<>();
      for (int axis = 0; axis < shape.rank(); axis++) {
        if (axis == 0 || random.nextBoolean()) {
          axes.add(axis);
        }
      }
      boolean keep = random.nextBoolean();
      List<Long> wanted = new ArrayList<>();
      for (int axis = 0; axis < shape.rank(); axis++) {
        if (!axes.contains(axis) || keep) {
          wanted.add(axes.contains(axis) ? 1L : shape.extent(axis));
        }
      }
      long[] named = axes.stream().mapToLong(axis -> random.nextBoolean() ? axis : axis - shape.rank()).toArray();
      String use = "ReduceMax{keepdims=%d}".formatted(keep ? 1 : 0);
      assertThat(results(use, 1, List.of(shape), named)).hasValue(List.of(shapeOf(wanted)));
    }
  }

  @Test
  void transposingByTheInverseOrderGivesTheShapeBack() {
    for (int round = 0; round < ROUNDS; round++) {
      Shape shape = shape(1, 6, 5);
      List<Integer> order = new ArrayList<>();
      for (int axis = 0; axis < shape.rank(); axis++) {
        order.add(random.nextInt(axis + 1), axis);
      }
      Shape moved = results("Transpose{perm=%s}".formatted(order), 1, List.of(shape)).orElseThrow().get(0);
      List<Integer> inverse = new ArrayList<>();
      for (int axis = 0; axis < shape.rank(); axis++) {
        inverse.add(order.indexOf(axis));
        assertThat(moved.extent(axis)).isEqualTo(shape.extent(order.get(axis)));
      }
      assertThat(results("Transpose{perm=%s}".formatted(inverse), 1, List.of(moved))).hasValue(List.of(shape));
    }
  }

  @Test
  void concatenatingWhatWasSplitGivesTheShapeBack() {
    for (int round = 0; round < ROUNDS; round++) {
      Shape shape = shape(1, 4, 9);
      int axis = random.nextInt(shape.rank());
      int parts = 1 + random.nextInt(4);
      long chunk = (shape.extent(axis) + parts - 1) / parts;
      Optional<List<Shape>> split = results("Split{axis=%d, num_outputs=%d}".formatted(axis - shape.rank(), parts),
        parts, List.of(shape));
      assertThat(split.isPresent()).isEqualTo(chunk * (parts - 1) <= shape.extent(axis));
      split.ifPresent(pieces -> {
        assertThat(pieces.subList(0, parts - 1)).allMatch(piece -> piece.equals(shape.with(axis, chunk)));
        assertThat(results("Concat{axis=%d}".formatted(axis), 1, pieces)).hasValue(List.of(shape));
      });
    }
  }

  @Test
  void reshapeFindsTheOpenExtent() {
    for (int round = 0; round < ROUNDS; round++) {
      Shape wanted = shape(1, 5, 4);
      if (wanted.elementCount() == 0) {
        continue;
      }
      long[] asked = wanted.extents();
      asked[random.nextInt(asked.length)] = -1;
      assertThat(results("Reshape", 1, List.of(Shape.of(wanted.elementCount())), asked)).hasValue(List.of(wanted));
      Shape oneMore = Shape.of(wanted.elementCount() + 1);
      long known = Arrays.stream(asked).filter(extent -> extent > 0).reduce(1, (a, b) -> a * b);
      assertThat(results("Reshape", 1, List.of(oneMore), asked).isPresent())
        .isEqualTo((wanted.elementCount() + 1) % known == 0);
    }
  }

  @Test
  void sliceCountsTheIndexesThatALoopVisits() {
    for (int round = 0; round < ROUNDS; round++) {
      long extent = random.nextInt(8);
      long start = random.nextInt(21) - 10L;
      long end = random.nextInt(21) - 10L;
      long step = random.nextBoolean() ? 1 + random.nextInt(4) : -1 - random.nextInt(4);
      long wanted = visited(start, end, step, extent);
      var fixture = new GraphFixture();
      NodeEntry y = fixture.apply("y", "Slice", fixture.input("x", "float32[" + extent + "]"),
        fixture.longs("start", start), fixture.longs("end", end), fixture.longs("axes", -1),
        fixture.longs("step", step));
      assertThat(infer(fixture.graph(y), List.of(y))).as("%d:%d:%d of %d", start, end, step, extent)
        .containsExactly(Shape.of(wanted));
    }
  }

  private static long visited(long start, long end, long step, long extent) {
    if (extent == 0) {
      return 0;
    }
    long from = start < 0 ? start + extent : start;
    long to = end < 0 ? end + extent : end;
    from = Math.max(0, Math.min(from, step > 0 ? extent : extent - 1));
    to = Math.max(step > 0 ? 0 : -1, Math.min(to, step > 0 ? extent : extent - 1));
    long count = 0;
    for (long at = from; step > 0 ? at < to : at > to; at += step) {
      count++;
    }
    return count;
  }

  /** A shape of rank {@code [leastRank, mostRank]} with extents {@code [0, mostExtent]}, mostly not 0. */
  private Shape shape(int leastRank, int mostRank, int mostExtent) {
    long[] extents = new long[leastRank + random.nextInt(mostRank - leastRank + 1)];
    Arrays.setAll(extents, i -> random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(mostExtent));
    return Shape.of(extents);
  }

  private static Shape shapeOf(List<Long> extents) {
    return Shape.of(extents.stream().mapToLong(Long::longValue).toArray());
  }

  /** The shapes of the results; empty when the rule refuses. A list of numbers is given as the last input. */
  private static Optional<List<Shape>> results(String use, int outputs, List<Shape> inputs, long... list) {
    var fixture = new GraphFixture();
    List<NodeEntry> reads = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      reads.add(fixture.input("x" + i, new TensorType(DType.FLOAT32, inputs.get(i)).toString()));
    }
    if (list.length > 0) {
      reads.add(fixture.longs("list", list));
    }
    List<NodeEntry> results = fixture.applyForAll("y", use, outputs, reads.toArray(NodeEntry[]::new));
    try {
      return Optional.of(infer(fixture.graph(results.get(0)), results));
    } catch (InvalidGraph expected) {
      String text = LongStream.of(list).mapToObj(String::valueOf).collect(Collectors.joining(","));
      assertThat(expected.node()).as(text).isEqualTo("y");
      return Optional.empty();
    }
  }

  private static List<Shape> infer(Graph graph, List<NodeEntry> entries) {
    var types = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE)
      .infer(graph, GraphFixture.inputTypes(graph));
    return entries.stream().map(entry -> types.type(entry).shape()).toList();
  }
}
