package dev.cairn.allocator.storage;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import org.junit.jupiter.api.Nested;

/** Every storage manager, with every rounding, over addresses alone and over the host's memory, is an allocator. */
class StorageContractTest {
  private static final Rounding UNITS = Rounding.multipleOf(10 * 1024);

  abstract static class Contract extends AllocatorContract {
    static final StorageOptions OPTIONS = StorageOptions.UNLIMITED.withLimitBytes(LIMIT_BYTES);

    static SubAllocator fake() {
      return FakeSubAllocator.scattered(Long.MAX_VALUE);
    }

    @Override
    protected long sameDistanceBytes() {
      return 0;
    }
  }

  @Nested
  class NaiveOverFake extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new NaiveStorageManager(fake(), LIMIT_BYTES);
    }
  }

  @Nested
  class NaiveOverHost extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new NaiveStorageManager(new NettySubAllocator(), LIMIT_BYTES);
    }
  }

  @Nested
  class NaivePoolOverFake extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new PooledStorageManager(fake(), Rounding.naive(), OPTIONS);
    }
  }

  @Nested
  class NaivePoolOverContiguousFake extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new PooledStorageManager(FakeSubAllocator.contiguous(Long.MAX_VALUE), Rounding.naive(), OPTIONS);
    }
  }

  @Nested
  class NaivePoolOverHost extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new PooledStorageManager(new NettySubAllocator(), Rounding.naive(), OPTIONS);
    }
  }

  @Nested
  class PowerOfTwoPoolOverFake extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new PooledStorageManager(fake(), Rounding.powerOfTwo(), OPTIONS);
    }
  }

  @Nested
  class PowerOfTwoPoolOverHost extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new PooledStorageManager(new NettySubAllocator(), Rounding.powerOfTwo(), OPTIONS);
    }
  }

  @Nested
  class MultiplePoolOverFake extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new PooledStorageManager(fake(), UNITS, OPTIONS);
    }
  }

  @Nested
  class MultiplePoolOverHost extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new PooledStorageManager(new NettySubAllocator(), UNITS, OPTIONS);
    }
  }

  @Nested
  class UnpooledNaiveOverFake extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new UnpooledStorageManager(fake(), Rounding.naive(), OPTIONS);
    }
  }

  @Nested
  class UnpooledPowerOfTwoOverFake extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new UnpooledStorageManager(fake(), Rounding.powerOfTwo(), OPTIONS);
    }
  }

  @Nested
  class UnpooledMultipleOverHost extends Contract {
    @Override
    protected Allocator newAllocator() {
      return new UnpooledStorageManager(new NettySubAllocator(), UNITS, OPTIONS);
    }
  }
}
