package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.load.MappedFile;
import dev.cairn.kernels.load.OpenLibrary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How often a thread of libgomp looks for what it waits for before it sleeps. libgomp has a variable for this, which it
 * reads at each wait. No function sets it: libgomp takes it from the environment once, when it is loaded. So this finds
 * the variable by the value that libgomp gives it where the environment says nothing. Thread-safe.
 */
final class OpenMpSpins {
  /** Environment variables by which a user decides. Then the variable keeps its value. */
  private static final List<String> DECIDED_BY_USER = List.of("OMP_WAIT_POLICY", "GOMP_SPINCOUNT");
  /** What libgomp takes by itself: some milliseconds. */
  static final int USUAL = 300_000;

  private final MemorySegment variable;
  /** What the variable holds. */
  private volatile int current = USUAL;

  private OpenMpSpins(MemorySegment variable) {
    this.variable = variable;
  }

  /** Empty when the user has decided, or when not exactly one place holds the value. */
  static Optional<OpenMpSpins> find(OpenLibrary openMp, Map<String, String> environment) throws IOException {
    if (DECIDED_BY_USER.stream().anyMatch(environment::containsKey)) {
      return Optional.empty();
    }
    List<MemorySegment> variables = MappedFile.variables(openMp.file()).stream().map(it -> MemorySegment.ofAddress(it
      .address()).reinterpret(it.bytes())).toList();
    return find(variables);
  }

  /** @param variables of the library, all of them */
  static Optional<OpenMpSpins> find(List<MemorySegment> variables) {
    List<OpenMpSpins> found = new ArrayList<>();
    for (MemorySegment part : variables) {
      for (long at = 0; at + Long.BYTES <= part.byteSize(); at += Long.BYTES) {
        if (part.get(JAVA_LONG, at) == USUAL) {
          found.add(new OpenMpSpins(part.asSlice(at, JAVA_LONG)));
        }
      }
    }
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  /** Threads spin so often from their next wait on. */
  void set(int spins) {
    if (spins != current) {
      change(spins);
    }
  }

  private synchronized void change(int spins) {
    variable.set(JAVA_LONG, 0, spins);
    current = spins;
  }
}
