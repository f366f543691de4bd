package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeldBlocksTest {
  private static Block block(long address, long id) {
    return new Block("issuer", id, id, address, 256, 256, MemorySpace.device(0), MemorySegment.NULL);
  }

  @Test
  void aGrantIsKnownByItsIdNotByItsAddressAlone() {
    HeldBlocks<String> held = new HeldBlocks<>();
    assertThat(held.put(block(512, 1), "a")).isNull();
    assertThat(held.remove(block(512, 0))).isNull();
    assertThat(held.holderOf(block(512, 2))).isNull();
    assertThat(held.has(512, 1)).isTrue();
    assertThat(held.put(block(512, 2), "b")).isEqualTo("a");
    assertThat(held.count()).isOne();
    assertThat(held.remove(block(512, 1))).isNull();
    assertThat(held.remove(block(512, 2))).isEqualTo("b");
    assertThat(held.remove(block(512, 2))).isNull();
    assertThat(held.has(512, 2)).isFalse();
  }

  @Test
  void itAnswersAsAMapDoes() {
    Random random = new Random(11);
    for (int round = 0; round < 20; round++) {
      HeldBlocks<Integer> held = new HeldBlocks<>();
      Map<Long, Block> model = new HashMap<>();
      List<Long> addresses = new ArrayList<>();
      long step = 256L << random.nextInt(30);
      for (int i = 0; i < 5000; i++) {
        long address = (1L << 40) + step * random.nextInt(1 + round * 50);
        Block block = block(address, i);
        if (random.nextInt(3) > 0) {
          Block before = model.put(address, block);
          assertThat(held.put(block, i)).isEqualTo(before == null ? null : (int) before.allocationId());
          addresses.add(address);
        } else if (!addresses.isEmpty()) {
          Block gone = model.remove(addresses.get(random.nextInt(addresses.size())));
          assertThat(gone == null ? null : held.remove(gone)).isEqualTo(gone == null ? null : (int) gone.handle());
        }
        assertThat(held.count()).isEqualTo(model.size());
      }
      assertThat(model.values()).allMatch(block -> held.has(block.address(), block.allocationId()));
    }
  }
}
