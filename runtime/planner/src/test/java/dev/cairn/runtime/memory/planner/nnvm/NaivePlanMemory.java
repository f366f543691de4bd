package dev.cairn.runtime.memory.planner.nnvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** PlanMemory once more, from its description alone, with lists that are searched from end to end. */
final class NaivePlanMemory {
  private final NnvmGraph graph;
  private final NnvmOptions options;
  private final long range;
  private final int[] ids;
  private final int[] inPlace;
  private final int[] colours;
  /** For each storage id: bytes, device, count, releasing node. */
  private final List<long[]> storages = new ArrayList<>();
  /** Free storages in order of release. */
  private final List<Integer> free = new ArrayList<>();

  NaivePlanMemory(NnvmGraph graph, NnvmOptions options, long range) {
    this.graph = graph;
    this.options = options;
    this.range = range;
    this.ids = new int[graph.entryCount()];
    this.inPlace = new int[ids.length];
    this.colours = options.colours() > 1 ? NodeColours.of(graph, options.colours()) : new int[0];
  }

  /** Ids, in-place indices, bytes of storages; as the plan has them. */
  StoragePlan plan() {
    for (int i = 0; i < ids.length; i++) {
      ids[i] = graph.entry(i).storage();
      inPlace[i] = -1;
    }
    int lost = 0;
    for (int n = graph.range().first(); n < graph.range().end(); n++) {
      if (graph.node(n).role() != NodeRole.VARIABLE) {
        shareInputs(n);
        placeRest(n);
        dropInputs(n);
        lost += dropUnread(n);
      }
    }
    return new StoragePlan(Arrays.stream(ids).boxed().toList(), Arrays.stream(inPlace).boxed().toList(),
      storages.stream().map(it -> it[0]).toList(), lost, range);
  }

  private long uses(int entry) {
    long uses = graph.outputs().stream().filter(it -> it == entry).count();
    for (NnvmNode node : graph.nodes()) {
      for (int i = 0; i < node.inputs().size(); i++) {
        uses += node.inputs().get(i) == entry && !node.traits().ignoredInputs().contains(i) ? 1 : 0;
      }
    }
    return uses;
  }

  private void shareInputs(int n) {
    NnvmNode node = graph.node(n);
    List<Integer> taken = new ArrayList<>();
    for (NodeTraits.InPlacePair pair : node.traits().inPlace()) {
      int in = node.inputs().get(pair.input());
      int out = graph.firstEntryId(n) + pair.output();
      if (ids[in] < 0 || ids[out] != -1 || taken.contains(pair.input()) || uses(out) == 0) {
        continue;
      }
      boolean sameType = graph.entry(in).type().equals(graph.entry(out).type());
      boolean sameSize = graph.entry(in).type().bytes() == graph.entry(out).type().bytes();
      boolean typesFit = options.inPlaceRule() == InPlaceRule.EQUAL_TYPE ? sameType : sameSize;
      boolean identity = pair.identity() && (sameType || options.inPlaceRule() != InPlaceRule.EQUAL_SIZE_TRUE_IDENTITY);
      boolean last = storages.get(ids[in])[2] == 1 && node.traits().ignoredInputs().size() < node.inputs().size();
      if (typesFit && graph.entry(in).elements() == graph.entry(out).elements() && (last || identity)) {
        taken.add(pair.input());
        ids[out] = ids[in];
        storages.get(ids[in])[2] += uses(out);
        inPlace[out] = pair.input();
      }
    }
  }

  private void placeRest(int n) {
    int first = graph.firstEntryId(n);
    List<Integer> rest = new ArrayList<>();
    for (int out = first; out < first + graph.node(n).outputs().size(); out++) {
      if (ids[out] == -1) {
        int at = 0;
        while (at < rest.size()
          && Math.max(0, graph.entry(rest.get(at)).elements()) > Math.max(0, graph.entry(out).elements())) {
          at++;
        }
        rest.add(at, out);
      }
    }
    for (int out : rest) {
      NnvmEntry entry = graph.entry(out);
      if (entry.elements() >= 0) {
        ids[out] = request(entry.elements() * (options.fourByteElements() ? 4 : entry.type().bytes()), n);
        storages.get(ids[out])[2] = uses(out);
      }
    }
  }

  private int request(long bytes, int n) {
    int best = -1;
    for (int id : free) {
      long has = storages.get(id)[0];
      boolean usable = range > 0 && has >= bytes / range && has <= bytes * range
        && storages.get(id)[1] == graph.node(n).device()
        && (colours.length == 0 || colours[(int) storages.get(id)[3]] == colours[n]);
      long bestHas = best < 0 ? -1 : storages.get(best)[0];
      boolean better = best < 0
        || (has >= bytes ? bestHas < bytes || has < bestHas : bestHas < bytes && has >= bestHas);
      best = usable && better ? id : best;
    }
    if (best < 0) {
      storages.add(new long[] {bytes, graph.node(n).device(), 0, 0});
      return storages.size() - 1;
    }
    free.remove(Integer.valueOf(best));
    storages.get(best)[0] = Math.max(storages.get(best)[0], bytes);
    return best;
  }

  private void release(int id, int n) {
    storages.get(id)[3] = n;
    free.add(id);
  }

  private void dropInputs(int n) {
    for (int i = 0; i < graph.node(n).inputs().size(); i++) {
      int id = ids[graph.node(n).inputs().get(i)];
      if (id >= 0 && !graph.node(n).traits().ignoredInputs().contains(i)) {
        storages.get(id)[2]--;
        if (storages.get(id)[2] == 0) {
          release(id, n);
        }
      }
    }
  }

  private int dropUnread(int n) {
    int lost = 0;
    for (int i = 0; i < graph.node(n).outputs().size(); i++) {
      int out = graph.firstEntryId(n) + i;
      lost += ids[out] == -1 ? 1 : 0;
      if (ids[out] >= 0 && storages.get(ids[out])[2] == 0) {
        release(ids[out], n);
        inPlace[out] = -2;
      }
    }
    return lost;
  }
}
