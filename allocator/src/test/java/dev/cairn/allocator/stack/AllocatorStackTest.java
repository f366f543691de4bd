package dev.cairn.allocator.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.layer.RetryOptions;
import dev.cairn.allocator.layer.Tenant;
import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All layers at once. */
class AllocatorStackTest {
  private static final long LIMIT = 1 << 20;
  private static final BfcOptions OPTIONS = BfcOptions.DEFAULT.withLimitBytes(LIMIT)
    .withGrowth(BfcOptions.Growth.WHOLE);
  private static final TrimSchedule SELDOM = new TrimSchedule(Duration.ofDays(1), TrimPolicy.EVERYTHING);

  @RegisterExtension
  final Validated validated = new Validated();
  private final List<String> heard = new ArrayList<>();
  private final Deque<Block> cache = new ArrayDeque<>();

  private final AllocationListener recorder = new AllocationListener() {
    @Override
    public void granted(long id, long address, long bytes, long requestedBytes, Owner owner) {
      heard.add("granted " + requestedBytes);
    }

    @Override
    public void freed(long id, long address, long bytes) {
      heard.add("freed");
    }

    @Override
    public void refused(OutOfMemory refusal) {
      heard.add("refused " + refusal.requestedBytes() + " " + refusal.circumstances().size());
    }
  };

  @Test
  void aRequestPassesThroughAllOfThemInOrder() {
    Allocator[] top = new Allocator[1];
    AllocatorStack stack = AllocatorStack.over(FakeSubAllocator.contiguous(1L << 40), OPTIONS)
      .listening(recorder)
      .relieving(_ -> {
        if (cache.isEmpty()) {
          return false;
        }
        top[0].free(cache.pop());
        return true;
      })
      .trimming(SELDOM)
      .retrying(RetryOptions.DEFAULT.withDeadlockAfter(Duration.ZERO))
      .guarding()
      .build();
    Allocator allocator = validated.watch(stack.allocator());
    top[0] = allocator;
    cache.push(allocator.allocate(LIMIT / 2));
    Block block = allocator.allocate(LIMIT - 1000);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(LIMIT / 2));
    assertThat(failure.circumstances()).hasSize(1).last().asString().startsWith("hold-and-wait deadlock");
    assertThat(heard).containsExactly("granted 524288", "freed", "granted 1047576", "refused 524288 1");
    assertThat(stack.retrying().orElseThrow().retryStats().deadlocks()).isOne();
    assertThat(stack.guarding().orElseThrow().damages()).isEmpty();
    assertThatIllegalStateException().isThrownBy(stack::close).withMessageContaining("still held");
    allocator.free(block);
    stack.wake();
    stack.close();
    assertThatIllegalStateException().isThrownBy(stack::close);
  }

  @Test
  void closingIsDeepButLeavesTheSource() {
    FakeSubAllocator source = FakeSubAllocator.contiguous(1L << 40);
    AllocatorStack stack = AllocatorStack.over(source, OPTIONS).trimming(SELDOM).sharing().build();
    Tenant tenant = stack.tenants().tenant("a", LIMIT);
    tenant.free(tenant.allocate(1000));
    assertThat(source.heldBytes()).isEqualTo(LIMIT);
    stack.close();
    assertThat(source.heldBytes()).isZero();
    assertThatIllegalStateException().isThrownBy(() -> tenant.allocate(1));
    assertThatIllegalStateException().isThrownBy(() -> stack.allocator().allocate(1));
    AllocatorStack second = AllocatorStack.over(source, OPTIONS).build();
    second.allocator().free(second.allocator().allocate(1));
    second.close();
  }

  @Test
  void aTenantPastItsQuotaDoesNotWait() {
    AllocatorStack stack = AllocatorStack.over(FakeSubAllocator.contiguous(1L << 40), OPTIONS)
      .retrying(RetryOptions.DEFAULT)
      .sharing()
      .build();
    Tenant tenant = validated.watch(stack.tenants().tenant("a", LIMIT / 2));
    Block block = tenant.allocate(LIMIT / 2);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> tenant.allocate(1)).circumstances()).hasSize(1);
    assertThat(stack.retrying().orElseThrow().retryStats().waited()).isZero();
    tenant.free(block);
    stack.close();
  }

  @Test
  void aBuilderBuildsOnceAndAStackWithoutTenantsHasNone() {
    AllocatorStack.Builder builder = AllocatorStack.over(FakeSubAllocator.contiguous(1L << 40), OPTIONS);
    AllocatorStack stack = builder.build();
    assertThatIllegalStateException().isThrownBy(builder::build);
    assertThatIllegalStateException().isThrownBy(stack::tenants);
    assertThat(stack.retrying()).isEmpty();
    assertThat(stack.guarding()).isEmpty();
    stack.close();
  }
}
