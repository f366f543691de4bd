package dev.cairn.runtime.memory.planner.nnvm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Seeded graphs with a bit of everything: several outputs, unread ones, in-place pairs, identities, ignored inputs,
 * external entries, unknown shapes, two devices. What they promise is true: identities are between equals, and no
 * ignored input is offered in place.
 */
final class RandomNnvmGraphs {
  private static final ElementType[] TYPES = {ElementType.FLOAT32, ElementType.of("int32", 4),
    ElementType.of("float64", 8), NnvmGraphs.BYTE};

  private final Random random;
  private final List<NnvmNode> nodes = new ArrayList<>();
  private final List<NnvmEntry> entries = new ArrayList<>();
  private final boolean odd;

  private RandomNnvmGraphs(long seed, boolean odd) {
    this.random = new Random(seed);
    this.odd = odd;
  }

  /** @param odd whether external entries, unknown shapes and a second device may occur */
  static NnvmGraph seeded(long seed, boolean odd) {
    return new RandomNnvmGraphs(seed, odd).graph();
  }

  private NnvmGraph graph() {
    int size = 2 + random.nextInt(40);
    for (int i = 0; i < size; i++) {
      boolean variable = i == 0 || random.nextInt(6) == 0;
      NnvmNode node = variable
        ? NnvmNode.variable("v" + i, entry())
        : operator(i);
      nodes.add(node);
      entries.addAll(node.outputs());
    }
    List<Integer> outputs = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      outputs.add(random.nextInt(entries.size()));
    }
    return new NnvmGraph(nodes, outputs);
  }

  private NnvmEntry entry() {
    NnvmEntry entry = NnvmEntry.of(TYPES[random.nextInt(TYPES.length)],
      random.nextInt(8) == 0 ? random.nextInt(200) : 16L << random.nextInt(4));
    return switch (odd ? random.nextInt(30) : -1) {
      case 0 -> entry.at(StorageId.EXTERNAL);
      case 1 -> entry.at(StorageId.DYNAMIC);
      case 2 -> NnvmEntry.ofUnknownShape(entry.type());
      default -> entry;
    };
  }

  private NnvmNode operator(int number) {
    List<Integer> inputs = IntStream.range(0, random.nextInt(4)).mapToObj(it -> recent()).toList();
    List<NnvmEntry> outputs = new ArrayList<>();
    for (int i = random.nextInt(5) == 0 ? 3 : 1; i > 0; i--) {
      boolean like = !inputs.isEmpty() && random.nextInt(3) != 0;
      NnvmEntry input = like ? entries.get(inputs.getFirst()) : entry();
      outputs.add(like && input.isShapeKnown() ? NnvmEntry.of(input.type(), input.elements()) : entry());
    }
    NnvmNode node = NnvmNode.operator("n" + number, inputs, outputs).onDevice(odd ? random.nextInt(2) : 0);
    Set<Integer> ignored = new HashSet<>();
    if (!inputs.isEmpty() && random.nextInt(5) == 0) {
      IntStream.range(0, inputs.size()).filter(it -> random.nextBoolean()).forEach(ignored::add);
      node = node.withIgnoredInputs(ignored.toArray(Integer[]::new));
    }
    for (int i = random.nextInt(4); i > 0 && !inputs.isEmpty(); i--) {
      node = withPair(node, random.nextInt(inputs.size()), random.nextInt(outputs.size()), ignored);
    }
    return node;
  }

  private NnvmNode withPair(NnvmNode node, int input, int output, Set<Integer> ignored) {
    NnvmEntry in = entries.get(node.inputs().get(input));
    NnvmEntry out = node.outputs().get(output);
    boolean equal = in.isShapeKnown() && in.elements() == out.elements() && in.type().equals(out.type());
    // An output stands for another entry at most once, and then has no computation of its own.
    boolean first = node.traits().inPlace().stream().noneMatch(pair -> pair.output() == output);
    if (ignored.contains(input) || !first) {
      return node;
    }
    return equal && random.nextInt(3) == 0 ? node.withIdentity(input, output) : node.withInPlace(input, output);
  }

  private int recent() {
    return Math.max(0, entries.size() - 1 - random.nextInt(random.nextInt(3) == 0 ? entries.size() : 4));
  }
}
