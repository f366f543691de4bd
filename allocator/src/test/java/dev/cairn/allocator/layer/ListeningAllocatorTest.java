package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ListeningAllocatorTest {
  @RegisterExtension
  final Validated validated = new Validated();
  private final BfcAllocator core = validated
    .watch(new BfcAllocator(FakeSubAllocator.contiguous(1L << 40), BfcOptions.DEFAULT.withLimitBytes(1 << 20)));
  private final List<String> heard = new ArrayList<>();
  private String failing = "nothing";

  private final AllocationListener recorder = new AllocationListener() {
    private void hear(String event, String facts) {
      heard.add(event + " " + facts);
      if (event.equals(failing)) {
        throw new UnsupportedOperationException(event);
      }
    }

    @Override
    public void granted(long id, long address, long bytes, long requestedBytes, Owner owner) {
      hear("granted", "%d %d %d %s".formatted(id, bytes, requestedBytes, owner));
    }

    @Override
    public void freed(long id, long address, long bytes) {
      hear("freed", "%d %d".formatted(id, bytes));
    }

    @Override
    public void refused(OutOfMemory refusal) {
      hear("refused", String.valueOf(refusal.requestedBytes()));
    }
  };
  private final ListeningAllocator allocator = new ListeningAllocator(core, recorder);

  @Test
  void aListenerHearsGrantsFreesAndRefusals() {
    Block block = allocator.allocate(300, "a");
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(2 << 20, "b"))).isNotNull();
    allocator.free(allocator.allocate(0));
    allocator.free(block);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(block));
    assertThat(heard).containsExactly("granted 0 512 300 a", "refused 2097152", "freed 0 512");
  }

  @Test
  void aListenerThatThrowsUndoesNothingAndIsToldNothingAfterwards() {
    failing = "granted";
    Block block = allocator.allocate(1);
    assertThat(core.stats().liveCount()).isOne();
    allocator.free(block);
    assertThat(core.stats().liveCount()).isZero();
    assertThat(heard).hasSize(1);
    allocator.close();
  }

  @Test
  void ofOneAddressItHearsGrantAndFreeInTurn() {
    Map<Long, Long> holders = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    ListeningAllocator contended = new ListeningAllocator(core, new AllocationListener() {
      @Override
      public void granted(long id, long address, long bytes, long requestedBytes, Owner owner) {
        if (holders.put(address, id) != null) {
          wrong.add("granted twice: " + id);
        }
      }

      @Override
      public void freed(long id, long address, long bytes) {
        if (!holders.remove(address, id)) {
          wrong.add("freed by another: " + id);
        }
      }
    });
    List<Worker> workers = new ArrayList<>();
    List<Future<Boolean>> done = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Random random = new Random(i);
      workers.add(new Worker("w" + i, contended));
      done.add(workers.getLast().start(() -> {
        for (int round = 0; round < 5000; round++) {
          contended.free(contended.allocate(1 + random.nextInt(1000)));
        }
        return true;
      }));
    }
    done.forEach(Worker::now);
    workers.forEach(Worker::close);
    assertThat(wrong).isEmpty();
    assertThat(holders).isEmpty();
  }
}
