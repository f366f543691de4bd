package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The buffers of a graph while the analysis finds them. Each has a birth, and a death that later users put off. */
final class SharedBuffers {
  private final long alignment;
  private final List<Growing> all = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private static final class Growing {
    private final String name;
    private final long bytes;
    private final String key;
    private final int birth;
    private int lastUse;
    private int device;

    Growing(String name, long bytes, String key, int birth) {
      this.name = name;
      this.bytes = bytes;
      this.key = key;
      this.birth = birth;
      this.lastUse = birth;
    }
  }

  SharedBuffers(long alignment) {
    this.alignment = alignment;
  }

  /** A buffer that is needed at one step, until it is used at another. */
  int add(String name, long bytes, String key, int birth) {
    // A model's node may have the name that this class gives to another node's second result.
    String unique = name;
    for (int number = 2; !names.add(unique); number++) {
      unique = name + "#" + number;
    }
    all.add(new Growing(unique, bytes, key, birth));
    return all.size() - 1;
  }

  /** Puts a buffer into the memory of another device than the model's. */
  void place(int buffer, int device) {
    all.get(buffer).device = device;
  }

  /** Puts a buffer's death off to this step; a step past the last means that the caller reads it after the run. */
  void use(int buffer, int step) {
    all.get(buffer).lastUse = Math.max(all.get(buffer).lastUse, step);
  }

  boolean diesAt(int buffer, int step) {
    return all.get(buffer).lastUse == step && all.get(buffer).birth < step;
  }

  MemoryProblem problem(int steps) {
    List<Buffer> buffers = new ArrayList<>();
    for (Growing it : all) {
      boolean output = it.lastUse >= steps;
      var lifetime = new Lifetime(it.birth, Math.min(it.lastUse + 1, steps));
      Buffer buffer = Buffer.of(it.name, it.bytes, lifetime).withAlignment(alignment).withReuseKey(it.key)
        .onDevice(it.device);
      buffers.add(output ? buffer.asOutput() : buffer);
    }
    return new MemoryProblem(buffers);
  }
}
