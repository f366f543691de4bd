package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes the buffers of outputs out of the memory problem: the last kernel that writes such a buffer writes where the
 * caller will read. Outputs that share a buffer lie in the memory of the first of them; the others are copied from
 * there, as are outputs that are inputs, constants or variables. For devices whose memory the host reads.
 */
public final class BoundResults {
  private final Storage storage;
  /** For each buffer, the output whose memory takes its place. */
  private final Map<Integer, Integer> outputs = new LinkedHashMap<>();
  /** For each buffer, its index among the buffers that are left; -1 for those of outputs. */
  private final int[] left;

  private BoundResults(IndexedGraph graph, Storage storage) {
    this.storage = storage;
    this.left = new int[storage.problem().size()];
    List<Graph.Output> all = graph.graph().outputs();
    for (int output = 0; output < all.size(); output++) {
      if (storage.places().get(graph.entryId(all.get(output).entry())) instanceof Place.Planned(int buffer)) {
        outputs.putIfAbsent(buffer, output);
      }
    }
    int next = 0;
    for (int buffer = 0; buffer < left.length; buffer++) {
      left[buffer] = outputs.containsKey(buffer) ? -1 : next++;
    }
  }

  /**
   * The storage with its outputs bound to the caller's memory.
   *
   * @param storage as analysed: of a problem without groups or conflicts
   */
  public static Storage of(IndexedGraph graph, Storage storage) {
    return new BoundResults(graph, storage).applied();
  }

  private Storage applied() {
    List<Buffer> planned = new ArrayList<>();
    long boundBytes = 0;
    for (int buffer = 0; buffer < left.length; buffer++) {
      Buffer it = storage.problem().buffer(buffer);
      if (left[buffer] >= 0) {
        planned.add(it);
      } else {
        boundBytes += it.bytes();
      }
    }
    List<Place> places = storage.places().stream().map(this::place).toList();
    List<Optional<Place.Planned>> workspaces = storage.workspaces().stream()
      .map(it -> it.map(workspace -> new Place.Planned(left[workspace.buffer()]))).toList();
    return new Storage(storage.steps(), places, workspaces, storage.constants(), storage.variables(),
      new MemoryProblem(planned), storage.separateBytes() - boundBytes, storage.inPlace());
  }

  private Place place(Place place) {
    if (!(place instanceof Place.Planned(int buffer))) {
      return place;
    }
    Integer output = outputs.get(buffer);
    return output == null ? new Place.Planned(left[buffer]) : new Place.Result(output);
  }
}
