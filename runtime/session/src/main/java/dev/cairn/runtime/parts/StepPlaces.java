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
 * Gives each step of a part its place: the step of the whole graph that observers get. A step takes the place of the
 * graph's node of the same name. A step that passes have made takes the place before it, whose node it replaces.
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

  /** For each step of a part, its place. */
  int[] of(List<Node> steps) {
    int[] of = new int[steps.size()];
    for (int i = 0; i < of.length; i++) {
      of[i] = Objects.requireNonNullElse(places.get(steps.get(i).name()), i == 0 ? 0 : of[i - 1]);
    }
    return of;
  }

  /**
   * An observer of a part, which passes events on to an observer of the whole graph.
   *
   * @param place by step of the part
   * @param steps the facts of the steps; empty where the part itself reports them
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
