package dev.cairn.runtime.cli;

import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds shapes for open inputs that a model accepts, by trying usual ones: type inference must succeed, or stop only
 * where data decide a shape.
 */
final class ShapeSuggestion {
  private static final List<Long> IMAGE_SIZES = List.of(224L, 256L, 64L, 32L, 28L, 299L, 416L, 640L, 8L);
  private static final List<Long> LENGTHS = List.of(16L, 128L, 8L, 64L, 256L, 512L, 1L, 2L, 3L, 784L);
  private static final int IMAGE_RANK = 4;
  private static final long CHANNELS = 3;

  private final Graph graph;
  private final Map<String, Shape> given;
  private final TypeInference inference;

  private ShapeSuggestion(Graph graph, Map<String, Shape> given, TypeInference inference) {
    this.graph = graph;
    this.given = given;
    this.inference = inference;
  }

  /**
   * The value of {@code --shapes} for the inputs that are still open, such as {@code x:1x3x224x224,y:1x16}; none where
   * even a rank is open.
   *
   * @param given shapes by input name, which the suggestion keeps
   */
  static Optional<String> of(Graph graph, Map<String, Shape> given) {
    if (InputBinding.isOpen(graph)) {
      return Optional.empty();
    }
    try (var device = new CpuDevice(1)) {
      return new ShapeSuggestion(graph, given, new Compiler(StandardOperators.table(), StandardKernels.catalog(), device
        .defaultStream()).inference(CompileOptions.DEFAULT)).accepted().map(shapes -> shapes.entrySet().stream()
          .map(shape -> shape.getKey() + ":" + shape.getValue()).collect(Collectors.joining(",")));
    }
  }

  private Optional<Map<String, Shape>> accepted() {
    @Nullable
    Map<String, Shape> undecided = null;
    for (int trial = 0; trial < Math.max(IMAGE_SIZES.size(), LENGTHS.size()); trial++) {
      Map<String, Shape> shapes = trial(trial);
      try {
        infer(shapes);
        return Optional.of(shapes);
      } catch (ValueDependentShape e) {
        undecided = undecided == null ? shapes : undecided;
      } catch (IllegalArgumentException | InvalidGraph e) {
        // The next ones may fit.
      }
    }
    return Optional.ofNullable(undecided);
  }

  private Map<String, Shape> trial(int number) {
    Map<String, Long> symbols = givenSymbols();
    Map<String, Shape> shapes = new LinkedHashMap<>();
    for (Node input : graph.inputs()) {
      if (input.kind() instanceof NodeKind.Input(DeclaredType type) && type.known().isEmpty() && !given.containsKey(
        input.name())) {
        long[] extents = new long[type.dimensions().size()];
        for (int axis = 0; axis < extents.length; axis++) {
          extents[axis] = extent(type, axis, number, symbols);
        }
        shapes.put(input.name(), Shape.of(extents));
      }
    }
    return shapes;
  }

  private Map<String, Long> givenSymbols() {
    Map<String, Long> symbols = new HashMap<>();
    for (Node input : graph.inputs()) {
      Shape shape = given.get(input.name());
      if (shape != null && input.kind() instanceof NodeKind.Input(DeclaredType type) && type.admits(shape)) {
        for (int axis = 0; axis < shape.rank(); axis++) {
          if (type.dimensions().get(axis) instanceof Dimension.Symbol symbol) {
            symbols.put(symbol.name(), shape.extent(axis));
          }
        }
      }
    }
    return symbols;
  }

  private static long extent(DeclaredType type, int axis, int trial, Map<String, Long> symbols) {
    return switch (type.dimensions().get(axis)) {
      case Dimension.Fixed(long extent) -> extent;
      case Dimension.Symbol symbol -> symbols.computeIfAbsent(symbol.name(), _ -> {
        boolean isImage = type.dimensions().size() == IMAGE_RANK;
        List<Long> sizes = isImage ? IMAGE_SIZES : LENGTHS;
        return axis == 0 ? 1 : isImage && axis == 1 ? CHANNELS : sizes.get(Math.min(trial, sizes.size() - 1));
      });
    };
  }

  private void infer(Map<String, Shape> shapes) {
    Map<String, Shape> all = new HashMap<>(given);
    all.putAll(shapes);
    GraphTypes _ = inference.infer(graph, InputBinding.ofShapes(graph, all));
  }
}
