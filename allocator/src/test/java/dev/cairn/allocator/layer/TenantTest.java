package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Quotas, exact to the chunk. */
class TenantTest {
  private static final long LIMIT = 1 << 20;

  @RegisterExtension
  final Validated validated = new Validated();
  private final BfcAllocator core = validated.watch(new BfcAllocator(FakeSubAllocator.contiguous(1L << 40),
    BfcOptions.DEFAULT.withLimitBytes(LIMIT).withGrowth(BfcOptions.Growth.WHOLE)));
  private final TenantQuotas quotas = new TenantQuotas(core);

  private Tenant tenant(String name, long quotaBytes) {
    return validated.watch(quotas.tenant(name, quotaBytes));
  }

  @Test
  void theLastChunkThatFitsIsGrantedAndNotOneByteMore() {
    Tenant tenant = tenant("a", 1024);
    Block first = tenant.allocate(700);
    Block last = tenant.allocate(1);
    assertThat(tenant.usedBytes()).isEqualTo(1024);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> tenant.allocate(1, "more"));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    assertThat(failure.circumstances()).containsExactly("tenant=a quotaBytes=1024 usedBytes=1024");
    assertThat(failure.bytesShort()).isEqualTo(256);
    assertThat(failure.memoryMap().chunkCount()).isEqualTo(2);
    tenant.free(last);
    tenant.free(tenant.allocate(256));
    tenant.free(first);
    assertThat(tenant.stats().refusalCount()).isOne();
    assertThat(tenant.usedBytes()).isZero();
  }

  @Test
  void slackPastTheQuotaIsGivenBackAndRefused() {
    // 700 bytes round to 768; a quota of 767 holds what is asked for, but not the chunk.
    Tenant tenant = tenant("a", 767);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> tenant.allocate(700));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    assertThat(failure.roundedBytes()).isEqualTo(768);
    assertThat(core.stats().liveCount()).isZero();
    assertThat(tenant.stats().allocationCount()).isZero();
    tenant.free(tenant.allocate(512));
  }

  @Test
  void slackThatTheCoreHandsOutWholeCountsToo() {
    Tenant tenant = tenant("a", 2048);
    List<Block> row = new ArrayList<>();
    Tenant other = tenant("other", LIMIT);
    for (int i = 0; i < 3; i++) {
      row.add(other.allocate(2304));
    }
    Block rest = other.allocate(LIMIT - 3 * 2304);
    other.free(row.get(1));
    // The hole of 2,304 bytes is handed out whole for 2,048: more than the quota.
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> tenant.allocate(2048)).roundedBytes()).isEqualTo(2304);
    assertThat(tenant.usedBytes()).isZero();
    assertThat(core.stats().liveCount()).isEqualTo(3);
    other.free(rest);
    assertThat(tenant.allocate(1024).bytes()).isEqualTo(1024);
  }

  @Test
  void tenantsSeeAndFreeTheirOwnBlocksAlone() {
    Tenant a = tenant("a", LIMIT / 2);
    Tenant b = tenant("b", LIMIT / 2);
    Block ofA = a.allocate(1000, "weights");
    Block ofB = b.allocate(AllocationRequest.of(5000, Owner.of("scratch")));
    assertThatIllegalArgumentException().isThrownBy(() -> a.free(ofB)).withMessageContaining("tenant=a, but held by "
      + "another: tenant=b");
    assertThat(a.memoryMap().chunks()).extracting(MemoryMap.ChunkEntry::owner).containsExactly(Owner.of("weights"));
    assertThat(b.memoryMap().chunks()).extracting(MemoryMap.ChunkEntry::address).containsExactly(ofB.address());
    assertThat(a.stats().bytesInUse() + b.stats().bytesInUse()).isEqualTo(core.stats().bytesInUse());
    a.free(ofA);
    assertThatIllegalArgumentException().isThrownBy(() -> a.free(ofA)).withMessageContaining("freed before");
    Block direct = core.allocate(256);
    assertThatIllegalArgumentException().isThrownBy(() -> a.free(direct)).withMessageContaining("another allocator's");
    core.free(direct);
    b.free(ofB);
  }

  @Test
  void clearingBeginsTotalsAndPeaksAnewForOneTenant() {
    Tenant a = tenant("a", LIMIT);
    Block kept = a.allocate(256);
    a.free(a.allocate(512));
    AllocatorStats before = a.clearStats();
    assertThat(before.allocationCount()).isEqualTo(2);
    assertThat(before.peakBytesInUse()).isEqualTo(768);
    assertThat(a.stats().allocationCount()).isZero();
    assertThat(a.stats().peakBytesInUse()).isEqualTo(256);
    assertThat(core.stats().allocationCount()).isEqualTo(2);
    a.free(kept);
  }

  @Test
  void quotasMayAddUpToMoreThanThereIs() {
    Tenant a = tenant("a", LIMIT);
    Tenant b = tenant("b", LIMIT);
    Block most = a.allocate(LIMIT);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> b.allocate(2048));
    assertThat(failure.circumstances()).containsExactly("tenant=b quotaBytes=1048576 usedBytes=0");
    assertThat(failure.memoryMap().stats().bytesInUse()).isEqualTo(LIMIT);
    assertThat(b.stats().refusalCount()).isOne();
    a.free(most);
    b.free(b.allocate(2048));
  }

  @Test
  void whatAnUpstreamThrowsLeavesTheQuotaAsItWas() {
    Tenant a = tenant("a", LIMIT);
    core.close();
    assertThatIllegalStateException().isThrownBy(() -> a.allocate(100)).withMessageContaining("closed");
    assertThat(a.usedBytes()).isZero();
    assertThat(a.stats().refusalCount()).isZero();
    a.close();
  }

  @Test
  void namesAndQuotasAreChecked() {
    tenant("a", 1).close();
    Tenant again = tenant("a", 0);
    assertThatIllegalArgumentException().isThrownBy(() -> quotas.tenant("a", 1)).withMessageContaining("tenant=a");
    assertThatIllegalArgumentException().isThrownBy(() -> quotas.tenant("b", -1)).withMessageContaining("-1");
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> again.allocate(1))).isNotNull();
    assertThat(quotas.tenants()).containsExactly(again);
  }

  @Test
  void closingAllNeedsAllEmptyAndHappensOnce() {
    Tenant a = tenant("a", LIMIT);
    Tenant b = tenant("b", LIMIT);
    Block held = b.allocate(100, "forgotten");
    assertThatIllegalStateException().isThrownBy(quotas::close).withMessageContainingAll("tenant=b", "forgotten");
    a.free(a.allocate(1));
    b.free(held);
    quotas.close();
    assertThatIllegalStateException().isThrownBy(() -> a.allocate(1)).withMessageContaining("closed: tenant=a");
    assertThatIllegalStateException().isThrownBy(b::close);
    assertThatIllegalStateException().isThrownBy(quotas::close);
    assertThatIllegalStateException().isThrownBy(() -> quotas.tenant("c", 1));
  }

  @Test
  void noTenantIsEverSeenToHoldMoreThanItsQuota() {
    long quota = LIMIT / 4;
    List<Tenant> tenants = List.of(tenant("a", quota), tenant("b", quota), tenant("c", quota));
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong over = new AtomicLong();
    List<Worker> workers = new ArrayList<>();
    try {
      List<Future<Boolean>> done = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Tenant tenant = tenants.get(i % 3);
        Random random = new Random(i);
        workers.add(new Worker("w" + i, tenant));
        done.add(workers.getLast().start(() -> churn(tenant, random)));
      }
      workers.add(new Worker("watch", core));
      Future<Boolean> watch = workers.getLast().start(() -> {
        while (!ended.get()) {
          for (Tenant tenant : tenants) {
            if (tenant.usedBytes() > quota || tenant.stats().bytesInUse() > quota) {
              over.incrementAndGet();
            }
            tenant.validate();
          }
        }
        return true;
      });
      done.forEach(Worker::now);
      ended.set(true);
      Worker.now(watch);
    } finally {
      workers.forEach(Worker::close);
    }
    assertThat(over).hasValue(0);
    assertThat(core.stats().liveCount()).isZero();
    assertThat(tenants).allMatch(tenant -> tenant.usedBytes() == 0 && tenant.stats().refusalCount() > 0);
    quotas.close();
  }

  private static boolean churn(Tenant tenant, Random random) {
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      if (random.nextInt(5) < 3) {
        try {
          held.add(tenant.allocate(1 + random.nextInt(40_000)));
        } catch (OutOfMemory e) {
          assertThat(e.circumstances()).first().asString().startsWith("tenant=" + tenant.name());
        }
      } else if (!held.isEmpty()) {
        tenant.free(held.remove(random.nextInt(held.size())));
      }
    }
    held.forEach(tenant::free);
    return true;
  }

  /** Hands an allocator on, but for its end, before which something happens. */
  private static final class BeforeClosing extends Layer {
    private final Runnable before;

    BeforeClosing(Allocator upstream, Runnable before) {
      super(upstream);
      this.before = before;
    }

    @Override
    Block grant(AllocationRequest request, Way way) {
      return way.from(upstream, request);
    }

    @Override
    public void free(Block block) {
      upstream.free(block);
    }

    @Override
    public void close() {
      before.run();
      super.close();
    }
  }

  @Test
  void aTenantMayCloseItselfWhileAllAreClosed() throws Exception {
    Tenant[] leaving = new Tenant[1];
    Thread[] thread = new Thread[1];
    AtomicReference<Throwable> failure = new AtomicReference<>();
    TenantQuotas shared = new TenantQuotas(new BeforeClosing(new BfcAllocator(FakeSubAllocator.scattered(1L << 30),
      BfcOptions.DEFAULT), () -> {
        Thread closing = new Thread(() -> leaving[0].close());
        closing.setUncaughtExceptionHandler((_, e) -> failure.set(e));
        thread[0] = closing;
        closing.start();
        // Closed, and about to tell the quotas, who are closing themselves.
        while (closing.getState() != Thread.State.BLOCKED && closing.isAlive()) {
          Thread.onSpinWait();
        }
      }));
    leaving[0] = shared.tenant("a", LIMIT);
    Tenant other = shared.tenant("b", LIMIT);
    shared.close();
    thread[0].join();
    assertThat(failure.get()).isNull();
    assertThat(shared.tenants()).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> other.allocate(1)).withMessageContaining("tenant is closed");
    assertThatIllegalStateException().isThrownBy(shared::close).withMessageContaining("closed");
  }

  @Test
  void aTenantWhoseRequestIsUnderWayIsClosedWithTheRest() throws Exception {
    Tenant[] asking = new Tenant[1];
    Throwable[] failure = new Throwable[1];
    TenantQuotas shared = new TenantQuotas(new BeforeClosing(new BfcAllocator(FakeSubAllocator.scattered(1L << 30),
      BfcOptions.DEFAULT), () -> {
        Block block = asking[0].allocate(1);
        failure[0] = catchThrowable(() -> asking[0].close());
        asking[0].free(block);
      }));
    asking[0] = shared.tenant("a", LIMIT);
    shared.close();
    assertThat(failure[0]).isInstanceOf(IllegalStateException.class);
    assertThatIllegalStateException().isThrownBy(() -> asking[0].allocate(1)).withMessageContaining("is closed");
  }
}
