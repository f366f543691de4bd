package dev.cairn.allocator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Rounds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressMapTest implements Rounds {
  /** Few keys meet often; all longs never do; multiples of a page are what addresses look like. */
  @ParameterizedTest
  @ValueSource(longs = {1, 3, 256, 1L << 32, 0x9E3779B97F4A7C15L})
  void agreesWithAnOrdinaryMap(long stride) {
    Random random = new Random(stride);
    AddressMap map = new AddressMap();
    Map<Long, Long> model = new HashMap<>();
    for (int i = 0; i < rounds(200_000); i++) {
      long key = stride * (random.nextInt(2_000) - 1_000);
      if (random.nextInt(100) < 45) {
        Long before = model.remove(key);
        assertThat(map.remove(key)).isEqualTo(before == null ? 0 : before);
      } else {
        long value = 1 + random.nextLong(Long.MAX_VALUE);
        Long before = model.put(key, value);
        assertThat(map.put(key, value)).isEqualTo(before == null ? 0 : before);
      }
      long asked = stride * (random.nextInt(2_000) - 1_000);
      assertThat(map.get(asked)).isEqualTo(model.getOrDefault(asked, 0L));
    }
    assertThat(map.size()).isEqualTo(model.size());
    model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
  }
}
