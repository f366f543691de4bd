package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.graph.Computation;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Node;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WeightStoreTest {
  private final NettySubAllocator source = new NettySubAllocator();
  private final BfcAllocator allocator = new BfcAllocator(source, BfcOptions.DEFAULT.withGrowth(
    BfcOptions.Growth.AS_REQUESTED).withLimitBytes(1 << 20));

  /** Nothing is held when a test ends, however it went. */
  @AfterEach
  void nothingIsHeld() {
    allocator.validate();
    assertThat(allocator.stats().bytesInUse()).isZero();
    allocator.close();
    assertThat(source.heldBytes()).isZero();
  }

  /** A store whose leases all end with the test. */
  private static final class Leases implements AutoCloseable {
    private final WeightStore store;
    private final List<WeightStore.Lease> leases = new ArrayList<>();

    Leases(Allocator allocator) {
      this.store = new WeightStore(allocator);
    }

    List<TensorView> store(List<Node> constants) {
      leases.add(store.store(constants));
      return leases.getLast().views();
    }

    @Override
    public void close() {
      leases.forEach(WeightStore.Lease::close);
    }
  }

  private static Node floats(String name, float... values) {
    return Node.constant(name, TensorView.ofFloats(Shape.of(values.length), values));
  }

  @Test
  void copiesIntoOneBlockWithEveryWeightAligned() {
    try (var store = new Leases(allocator)) {
      Node a = floats("a", 1, 2, 3);
      Node b = Node.constant("b", TensorView.ofLongs(7));
      Node empty = floats("empty");
      Node c = floats("c", new float[100]);
      List<TensorView> stored = store.store(List.of(a, b, empty, c));
      assertThat(allocator.stats().liveCount()).isEqualTo(1);
      assertThat(stored).extracting(view -> view.segment().address() % 64).containsOnly(0L);
      assertThat(stored).allMatch(view -> view.segment().isNative());
      assertThat(stored).extracting(TensorView::type).containsExactly(TensorType.of(DType.FLOAT32, 3), TensorType.of(
        DType.INT64, 1), TensorType.of(DType.FLOAT32, 0), TensorType.of(DType.FLOAT32, 100));
      assertThat(stored.get(0).doubleAt(2)).isEqualTo(3);
      assertThat(stored.get(1).longAt(0)).isEqualTo(7);
    }
  }

  @Test
  void sharesBytesThatLieInOnePlaceAndSmallOnesThatAreEqual() {
    try (var store = new Leases(allocator)) {
      var memory = MemorySegment.ofArray(new float[] {1, 2, 3, 4});
      var view = new TensorView(TensorType.of(DType.FLOAT32, 4), memory);
      Node first = Node.constant("first", view);
      Node again = Node.constant("again", new TensorView(view.type(), memory));
      Node otherwise = Node.constant("otherwise", view.reshaped(Shape.of(2, 2)));
      Node equal = floats("equal", 1, 2, 3, 4);
      List<TensorView> stored = store.store(List.of(first, again, otherwise, equal, floats("zero", 0f), floats(
        "negative", -0f)));
      assertThat(stored.get(1).segment()).isEqualTo(stored.get(0).segment());
      assertThat(stored.get(2).shape()).isEqualTo(Shape.of(2, 2));
      assertThat(stored.get(3).segment()).as("equal values elsewhere are the same small weight").isEqualTo(stored.get(0)
        .segment());
      assertThat(stored.get(4).segment()).as("a zero of another sign is another weight").isNotEqualTo(stored.get(5)
        .segment());
    }
  }

  @Test
  void aSecondCallStoresOnlyWhatIsNew() {
    try (var store = new Leases(allocator)) {
      Node a = floats("a", new float[1000]);
      Node b = floats("b", 5, 6);
      MemorySegment before = store.store(List.of(a)).get(0).segment();
      List<TensorView> both = store.store(List.of(b, a));
      assertThat(both.get(1).segment()).isEqualTo(before);
      assertThat(both.get(0).doubleAt(1)).isEqualTo(6);
      assertThat(store.store(List.of(a, b))).hasSize(2);
      assertThat(store.store(List.of())).isEmpty();
      assertThat(allocator.stats().liveCount()).isEqualTo(2);
    }
  }

  @Test
  void takesNansAndInfinities() {
    try (var store = new Leases(allocator)) {
      List<TensorView> stored = store
        .store(List.of(floats("one", Float.NaN), floats("all", Float.NaN, Float.NaN), floats("masks",
          Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY)));
      assertThat(stored.get(0).doubleAt(0)).isNaN();
      assertThat(stored.get(2).doubleAt(1)).isEqualTo(Double.NEGATIVE_INFINITY);
    }
  }

  @Test
  void tooLittleMemoryStoresNothingAndLeavesTheStoreUsable() {
    try (var store = new Leases(allocator)) {
      Node small = floats("small", 1, 2);
      assertThatThrownBy(() -> store.store(List.of(small, floats("large", new float[1 << 20]))))
        .isInstanceOfSatisfying(OutOfMemory.class, e -> assertThat(e.owner().label()).isEqualTo(
          "weights/large 4.0 MiB, small 8 B"));
      assertThat(allocator.stats().bytesInUse()).isZero();
      assertThat(store.store(List.of(small)).get(0).doubleAt(1)).isEqualTo(2);
    }
  }

  @Test
  void refusesWhatIsNoConstant() {
    try (var store = new Leases(allocator)) {
      Node relu = Node.apply("relu", "Relu", Attributes.NONE, List.of(floats("a", 1).entry()));
      assertThatThrownBy(() -> store.store(List.of(relu))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
          "relu");
    }
  }

  @Test
  void aBlockIsFreedWithTheLastLeaseThatReadsAnyOfIt() {
    var store = new WeightStore(allocator);
    Node shared = floats("shared", 1, 2);
    WeightStore.Lease first = store.store(List.of(shared, floats("mine", 3)));
    WeightStore.Lease second = store.store(List.of(shared, floats("other", 4)));
    assertThat(allocator.stats().liveCount()).isEqualTo(2);
    first.close();
    assertThat(allocator.stats().liveCount()).as("the second still reads the shared one").isEqualTo(2);
    assertThat(second.views().get(0).doubleAt(1)).isEqualTo(2);
    second.close();
    assertThat(allocator.stats().liveCount()).isZero();
    try (WeightStore.Lease again = store.store(List.of(shared))) {
      assertThat(again.views().get(0).doubleAt(0)).as("what was freed is stored anew").isEqualTo(1);
    }
  }

  /** Where the first element of each upload went. */
  private static final class Uploads implements Transfers {
    private final List<Double> first = new ArrayList<>();

    @Override
    public MemorySegment segment(Block block) {
      return MemorySegment.ofAddress(block.address()).reinterpret(block.requestedBytes());
    }

    @Override
    public void upload(MemorySegment target, MemorySegment source) {
      first.add((double) source.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0));
    }

    @Override
    public void download(MemorySegment target, MemorySegment source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Allocator staging() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void enqueueCopy(Stream stream, MemorySegment target, MemorySegment source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void enqueueUpload(Stream stream, MemorySegment target, MemorySegment source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void enqueueDownload(Stream stream, MemorySegment target, MemorySegment source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void enqueueFlag(Stream stream, MemorySegment target, boolean value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void enqueueNumber(Stream stream, MemorySegment target, long value) {
      throw new UnsupportedOperationException();
    }
  }

  /** Twice its input; written over it. */
  private static Node doubled(String name, Node input) {
    return doubled(name, input, 64, () -> {});
  }

  /** @param seen runs while the constant is computed */
  private static Node doubled(String name, Node input, long workspaceBytes, Runnable seen) {
    Computation twice = new Computation() {
      @Override
      public long workspaceBytes() {
        return workspaceBytes;
      }

      @Override
      public OptionalInt inPlace(int output) {
        return OptionalInt.of(0);
      }

      @Override
      public void run(@Nullable TensorView[] inputs, TensorView[] outputs, MemorySegment workspace) {
        TensorView from = Objects.requireNonNull(inputs[0]);
        assertThat(workspace.byteSize()).isEqualTo(workspaceBytes);
        seen.run();
        assertThat(from.segment().isNative()).isTrue();
        for (long i = 0; i < from.elementCount(); i++) {
          outputs[0].segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (2 * from.doubleAt(i)));
        }
      }
    };
    ConstantSource source = input.constant().orElseThrow();
    return Node.deferred(name, new ConstantSource.Computed(twice, List.of(Optional.of(source)), List.of(source.type()),
      0));
  }

  @Test
  void computesWhatIsDeferredInItsPlace() {
    Node four = doubled("four", doubled("two", floats("one", 1, 10)));
    try (WeightStore.Lease lease = new WeightStore(allocator).store(List.of(four))) {
      assertThat(lease.views().getFirst().doubleAt(1)).isEqualTo(40);
      assertThat(allocator.stats().liveCount()).as("scratch is given back").isEqualTo(1);
      assertThat(source.heldBytes()).isEqualTo(allocator.stats().bytesInUse());
    }
  }

  @Test
  void computesOnTheHostWhatADeviceStores() {
    var uploads = new Uploads();
    try (var device = new BfcAllocator(FakeSubAllocator.scattered(1 << 20), BfcOptions.DEFAULT)) {
      var store = new WeightStore(device, uploads, allocator);
      try (var lease = store.store(List.of(floats("three", 3), doubled("eight", floats("four", 4))))) {
        assertThat(uploads.first).as("the one that takes memory of its own comes first").containsExactly(8.0, 3.0);
        assertThat(lease.views()).hasSize(2);
        assertThat(allocator.stats().bytesInUse()).as("nothing stays on the host").isZero();
      }
    }
  }

  /** The memory of a session's peak is that of the constant that takes most, and the others do not wait for it. */
  @Test
  void scratchOfALargeConstantIsGivenBackBeforeTheSmallOnes() {
    List<Long> held = new ArrayList<>();
    Runnable look = () -> held.add(allocator.stats().bytesInUse());
    Node small = doubled("small", floats("one", 1), 64, look);
    Node large = doubled("large", floats("two", 2), 100_000, look);
    Node middle = doubled("middle", floats("three", 3), 50_000, look);
    try (WeightStore.Lease lease = new WeightStore(allocator).store(List.of(small, large, middle))) {
      assertThat(lease.views().stream().map(it -> it.doubleAt(0))).containsExactly(2.0, 4.0, 6.0);
      assertThat(held.get(0)).isGreaterThan(100_000).isEqualTo(held.get(1));
      assertThat(held.get(2)).isLessThan(10_000);
    }
  }
}
