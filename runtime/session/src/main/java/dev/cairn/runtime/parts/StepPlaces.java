package dev.cairn.runtime.parts;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedStep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The steps of a whole graph, for what is told of its parts. A step of a part takes the place of the graph's node of
 * that name. A step that passes have made takes the place before it, whose node it replaces.
 */
final class StepPlaces {
  private final Map<String, Integer> places = new HashMap<>();

  StepPlaces(Graph whole) {
    for (Node node : whole.nodes()) {
      if (node.isComputed()) {
        places.put(node.name(), places.size());
      }
    }
  }

  /** By step of a part, its place. */
  int[] of(List<Node> steps) {
    int[] of = new int[steps.size()];
    for (int i = 0; i < of.length; i++) {
      of[i] = Objects.requireNonNullElse(places.get(steps.get(i).name()), i == 0 ? 0 : of[i - 1]);
    }
    return of;
  }

  /**
   * An observer of a part, which tells one of the whole graph.
   *
   * @param place by step of the part
   * @param steps what is known of the steps; empty where the part tells itself
   */
  static RunObserver observer(RunObserver whole, int[] place, List<TracedStep> steps) {
    return new RunObserver() {
      @Override
      public void stepBegan(int step, int stream) {
        whole.stepBegan(place[step], stream);
        if (!steps.isEmpty()) {
          whole.stepFound(place[step], steps.get(step));
        }
      }

      @Override
      public void stepFound(int step, TracedStep found) {
        whole.stepFound(place[step], found);
      }

      @Override
      public void stepEnded(int step, int stream) {
        whole.stepEnded(place[step], stream);
      }
    };
  }
}
