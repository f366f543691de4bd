package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes down what is asked of it. Which tokens it gives is up to its seed, and must make no difference. */
final class RecordingArena implements Arena {
  /**
   * The calls in their order: for a grant its bytes; for a release the number of the grant that it takes back, counted
   * from one, as a negative number.
   */
  final List<Long> calls = new ArrayList<>();
  private final Map<Long, Long> grantByToken = new HashMap<>();
  private final long seed;
  private long grants;

  RecordingArena(long seed) {
    this.seed = seed;
  }

  @Override
  public long grant(long bytes) {
    grants++;
    calls.add(bytes);
    long token = (grants * 0x9E37_79B9_7F4A_7C15L) ^ seed;
    grantByToken.put(token, grants);
    return token;
  }

  @Override
  public void release(long token) {
    Long grant = grantByToken.remove(token);
    if (grant == null) {
      throw new IllegalArgumentException("not held: token=" + token);
    }
    calls.add(-grant);
  }

  @Override
  public long addressOf(long token) {
    return token;
  }

  @Override
  public void close() {}

  int held() {
    return grantByToken.size();
  }
}
