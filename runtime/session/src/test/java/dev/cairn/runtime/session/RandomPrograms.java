package dev.cairn.runtime.session;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Random programs of variables, assigns, and readers of every value that a variable ever has, old ones too; with a
 * naive interpreter beside the graph, which knows neither nodes nor memory. All values are float32[4x4].
 */
public final class RandomPrograms {
  public static final int ELEMENTS = 16;
  private static final Shape SHAPE = Shape.of(4, 4);

  private final SplittableRandom random;
  private final GraphBuilder builder;
  private final List<NodeEntry> entries = new ArrayList<>();
  /** How each value is made, from all values before it. */
  private final List<Function<List<float[]>, float[]>> makers = new ArrayList<>();
  private final Map<String, float[]> state = new LinkedHashMap<>();
  /** For each variable, which value it has so far. */
  private final Map<String, Integer> latest = new LinkedHashMap<>();
  private final Map<String, Integer> outputs = new LinkedHashMap<>();
  private float[] input = new float[ELEMENTS];

  public RandomPrograms(long seed, int nodes) {
    random = new SplittableRandom(seed);
    builder = new GraphBuilder("program" + seed);
    add(builder.input("x", new TensorType(DType.FLOAT32, SHAPE)), all -> input);
    for (int i = 0; i <= random.nextInt(3); i++) {
      addVariable("v" + i);
    }
    for (int i = 0; i < nodes; i++) {
      if (random.nextInt(3) == 0) {
        addAssign();
      } else {
        addOperator();
      }
    }
    addAssign();
    for (int i = 0; i < random.nextInt(4); i++) {
      outputs.put("out" + i, any());
    }
    outputs.forEach((name, value) -> builder.output(name, entries.get(value)));
  }

  public Graph graph() {
    return builder.build();
  }

  /** What a run gives, by name; variables have their new values then. */
  Map<String, float[]> run(float[] x) {
    input = x.clone();
    List<float[]> values = new ArrayList<>();
    makers.forEach(maker -> values.add(maker.apply(values)));
    latest.forEach((name, value) -> state.put(name, values.get(value)));
    Map<String, float[]> results = new LinkedHashMap<>();
    outputs.forEach((name, value) -> results.put(name, values.get(value)));
    return results;
  }

  Map<String, float[]> variables() {
    return state;
  }

  private int add(NodeEntry entry, Function<List<float[]>, float[]> maker) {
    entries.add(entry);
    makers.add(maker);
    return entries.size() - 1;
  }

  private int any() {
    // The latest values are preferred, so that chains arise.
    int back = random.nextBoolean() ? Math.min(4, entries.size()) : entries.size();
    return entries.size() - 1 - random.nextInt(back);
  }

  private void addVariable(String name) {
    float[] initial = new float[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      initial[i] = random.nextInt(-8, 9);
    }
    state.put(name, initial);
    NodeEntry entry = builder.variable(name, TensorView.ofFloats(SHAPE, initial));
    latest.put(name, add(entry, all -> state.getOrDefault(name, initial)));
  }

  private void addAssign() {
    String name = List.copyOf(latest.keySet()).get(random.nextInt(latest.size()));
    int before = latest.getOrDefault(name, 0);
    boolean fresh = random.nextBoolean();
    if (fresh) {
      addOperator();
    }
    int value = fresh ? entries.size() - 1 : any();
    latest.put(name, add(builder.assign(entries.get(before), entries.get(value)), all -> all.get(value)));
  }

  private void addOperator() {
    int a = any();
    int b = any();
    NodeEntry x = entries.get(a);
    NodeEntry y = entries.get(b);
    switch (random.nextInt(10)) {
      case 0 -> add(builder.apply("Add", x, y), each((i, all) -> all.get(a)[i] + all.get(b)[i]));
      case 1 -> add(builder.apply("Sub", x, y), each((i, all) -> all.get(a)[i] - all.get(b)[i]));
      case 2 -> add(builder.apply("Neg", x), each((i, all) -> -all.get(a)[i]));
      case 3 -> add(builder.apply("Max", x, y), each((i, all) -> Math.max(all.get(a)[i], all.get(b)[i])));
      case 4 -> add(builder.apply("Mul", x, builder.constant("half", TensorView.ofFloats(Shape.of(1), 0.5f))),
        each((i, all) -> all.get(a)[i] * 0.5f));
      case 5 -> add(builder.apply("Sum", y, builder.apply("Neg", x), x),
        each((i, all) -> all.get(b)[i] + -all.get(a)[i] + all.get(a)[i]));
      case 6 -> add(builder.apply("Transpose", x), each((i, all) -> all.get(a)[i % 4 * 4 + i / 4]));
      case 7 -> add(builder.apply("Identity", x), all -> all.get(a));
      case 8 -> add(flatAndBack(builder.apply("Neg", flat(x))), each((i, all) -> -all.get(a)[i]));
      default -> add(builder.apply("Sub", builder.constant("one", TensorView.ofFloats(Shape.of(1, 1), 1)), x),
        each((i, all) -> 1 - all.get(a)[i]));
    }
  }

  private NodeEntry flat(NodeEntry entry) {
    return builder.apply("Reshape", entry, builder.constant("flat", TensorView.ofLongs(ELEMENTS)));
  }

  private NodeEntry flatAndBack(NodeEntry entry) {
    return builder.apply("Reshape", entry, builder.constant("square", TensorView.ofLongs(4, 4)));
  }

  private interface Element {
    float at(int i, List<float[]> all);
  }

  private static Function<List<float[]>, float[]> each(Element element) {
    return all -> {
      float[] result = new float[ELEMENTS];
      for (int i = 0; i < ELEMENTS; i++) {
        result[i] = element.at(i, all);
      }
      return result;
    };
  }
}
