package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorContract;
import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.bfc.BfcOptions.Pooling;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import org.junit.jupiter.api.Nested;

/** The allocator as MXNet's storage managers, with every rounding, over addresses alone and the host's memory. */
class BfcSettingsContractTest {
  private static final Rounding UNITS = Rounding.multipleOf(10 * 1024);

  abstract static class Contract extends AllocatorContract {
    private final SubAllocator source;
    private final BfcOptions options;

    Contract(SubAllocator source, BfcOptions options) {
      this.source = source;
      this.options = options.withLimitBytes(LIMIT_BYTES).withCollection(BfcOptions.Collection.AT_THE_LIMIT);
    }

    @Override
    protected Allocator newAllocator() {
      return new BfcAllocator(source, options);
    }

    @Override
    protected long sameDistanceBytes() {
      return options.pooling() == Pooling.NONE ? 0 : super.sameDistanceBytes();
    }
  }

  private static SubAllocator fake() {
    return FakeSubAllocator.scattered(Long.MAX_VALUE);
  }

  private static BfcOptions pooled(Rounding rounding) {
    return BfcOptions.DEFAULT.withRounding(rounding);
  }

  private static BfcOptions unpooled(Rounding rounding) {
    return pooled(rounding).withPooling(Pooling.NONE);
  }

  @Nested
  class NaiveOverFake extends Contract {
    NaiveOverFake() {
      super(fake(), BfcOptions.DEFAULT.withPooling(Pooling.NONE));
    }
  }

  @Nested
  class NaiveOverHost extends Contract {
    NaiveOverHost() {
      super(new NettySubAllocator(), BfcOptions.DEFAULT.withPooling(Pooling.NONE));
    }
  }

  @Nested
  class NaivePoolOverFake extends Contract {
    NaivePoolOverFake() {
      super(fake(), pooled(Rounding.naive()));
    }
  }

  @Nested
  class NaivePoolOverContiguousFake extends Contract {
    NaivePoolOverContiguousFake() {
      super(FakeSubAllocator.contiguous(Long.MAX_VALUE), pooled(Rounding.naive()));
    }
  }

  @Nested
  class PowerOfTwoPoolOverFake extends Contract {
    PowerOfTwoPoolOverFake() {
      super(fake(), pooled(Rounding.powerOfTwo()));
    }
  }

  @Nested
  class PowerOfTwoPoolOverHost extends Contract {
    PowerOfTwoPoolOverHost() {
      super(new NettySubAllocator(), pooled(Rounding.powerOfTwo()));
    }
  }

  @Nested
  class MultiplePoolOverHost extends Contract {
    MultiplePoolOverHost() {
      super(new NettySubAllocator(), pooled(UNITS));
    }
  }

  @Nested
  class UnpooledPowerOfTwoOverFake extends Contract {
    UnpooledPowerOfTwoOverFake() {
      super(fake(), unpooled(Rounding.powerOfTwo()));
    }
  }

  @Nested
  class UnpooledMultipleOverHost extends Contract {
    UnpooledMultipleOverHost() {
      super(new NettySubAllocator(), unpooled(UNITS));
    }
  }
}
