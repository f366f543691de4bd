package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** I-5: what elementwise calls in a bulk compute, and what memory they take. */
class FusedBulkTest extends ArrayContract {
  private static final int SIDE = 512;
  private static final long BYTES = 4L * SIDE * SIDE;

  private NDArray x;

  @BeforeEach
  void fill() {
    x = counting(SIDE, SIDE).div(SIDE * SIDE);
    x.waitToRead();
  }

  private long peakBytes() {
    return arrays.stats().memory().peakBytesInUse();
  }

  /** Seven calls, of whose values only the last stays. */
  private static NDArray chain(NDArray from) {
    try (var scope = from.runtime().scope()) {
      return scope.release(from.mul(2).add(1).tanh().sub(from).abs().add(from).mul(3));
    }
  }

  @Test
  void temporariesTakeNoMemory() {
    float[] wanted;
    try (NDArray y = chain(x)) {
      wanted = y.toFloatArray();
    }
    try (var other = ArrayRuntime.open(options()); var _ = other.scope()) {
      NDArray from = other.copyOf(x.toHost());
      long before = other.stats().memory().bytesInUse();
      NDArray y;
      try (var _ = other.bulk(15)) {
        y = chain(from);
      }
      assertThat(y.toFloatArray()).isEqualTo(wanted);
      assertThat(other.stats().fusedCalls()).isEqualTo(isNaive() ? 0 : 7);
      if (!isNaive()) {
        assertThat(other.stats().memory().peakBytesInUse() - before).as("the result and a workspace").isBetween(BYTES,
          BYTES * 3 / 2);
      }
      y.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void randomProgramsComputeWhatTheyDoWithoutBulks(boolean fails) {
    for (int seed = 1; seed <= 12; seed++) {
      boolean mayFail = fails && !isNaive();
      List<Object> wanted = program(seed, 0, mayFail);
      for (int bulk : new int[] {2, 15, 100}) {
        long before = arrays.stats().fusedCalls();
        List<Object> found = program(seed, bulk, mayFail);
        assertThat(found).hasSameSizeAs(wanted);
        for (int i = 0; i < found.size(); i++) {
          assertThat(found.get(i)).as("seed=%d bulk=%d number=%d", seed, bulk, i).isEqualTo(wanted.get(i));
        }
        assertThat(isNaive() || bulk == 2 || arrays.stats().fusedCalls() > before).as("seed=%d fuses", seed).isTrue();
      }
    }
  }

  private List<Object> program(int seed, int bulk, boolean fails) {
    try (var _ = arrays.scope()) {
      return new BulkProgram(arrays, seed, fails).run(60, bulk);
    }
  }

  @Test
  void valuesThatArraysHoldAreThere() {
    NDArray a;
    NDArray b;
    NDArray c;
    try (var _ = arrays.bulk(15)) {
      a = x.add(1);
      b = a.mul(2);
      b.addi(x);
      c = b.sub(a);
    }
    float[] from = x.toFloatArray();
    float[] first = a.toFloatArray();
    float[] second = b.toFloatArray();
    float[] third = c.toFloatArray();
    for (int i = 0; i < from.length; i += 997) {
      assertThat(first[i]).isEqualTo(from[i] + 1);
      assertThat(second[i]).isEqualTo(first[i] * 2 + from[i]);
      assertThat(third[i]).isEqualTo(second[i] - first[i]);
    }
    assertThat(arrays.stats().fusedCalls()).isEqualTo(isNaive() ? 0 : 4);
  }

  /** The operand is overwritten within the kernel that also needs its old elements. */
  @Test
  void anOperandIsReadBeforeItIsOverwritten() {
    float[] before = x.toFloatArray();
    NDArray y;
    try (var _ = arrays.bulk(15)) {
      y = x.mul(3).add(x);
      x.addi(1);
      x.muli(y);
      y.subi(x);
    }
    float[] changed = x.toFloatArray();
    float[] rest = y.toFloatArray();
    for (int i = 0; i < before.length; i += 997) {
      float product = before[i] * 3 + before[i];
      assertThat(changed[i]).isEqualTo((before[i] + 1) * product);
      assertThat(rest[i]).isEqualTo(product - changed[i]);
    }
  }

  /** Sums of 5 calls each, so that what is held back ends at another call in each round. */
  @Test
  void aLoopCompilesOnce() {
    NDArray y = x.copy();
    int known = 0;
    for (int round = 0; round < 40; round++) {
      try (var _ = arrays.bulk(15)) {
        for (int i = 0; i < 3; i++) {
          NDArray before = y;
          y = chain(before);
          before.close();
        }
      }
      if (round == 5) {
        known = arrays.devices().host().table().size();
      }
    }
    assertThat(arrays.devices().host().table().size()).isEqualTo(known);
    assertThat(arrays.stats().fusedCalls()).isEqualTo(isNaive() ? 0 : 40 * 21);
    y.close();
  }

  /** An array of which nothing is asked is not computed; one that is closed later is. */
  @Test
  void whatIsClosedBeforeItRunsTakesNoMemory() {
    long before = peakBytes();
    try (var _ = arrays.bulk(1000)) {
      for (int i = 0; i < 300; i++) {
        try (NDArray t = x.add(i); NDArray s = t.mul(t)) {
          assertThat(s.shape()).isEqualTo(x.shape());
        }
      }
    }
    arrays.waitAll();
    if (!isNaive()) {
      assertThat(peakBytes()).isEqualTo(before);
    }
  }

  @Test
  void aReaderThatIsNotFusedFindsTheValueOfAClosedArray() {
    NDArray sum;
    try (var _ = arrays.bulk(15); NDArray t = x.add(1).mul(2)) {
      sum = t.sum();
    }
    double wanted = 0;
    for (float each : x.toFloatArray()) {
      wanted += (each + 1) * 2;
    }
    assertThat(sum.item()).isCloseTo(wanted, withinPercentage(0.01));
  }

  @Test
  void memoryOfTheCallerIsWrittenThoughItsArrayIsClosed() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(BYTES, 64);
      try (var _ = arrays.bulk(15); NDArray own = arrays.wrap(memory, DType.FLOAT32, SIDE, SIDE)) {
        own.addi(1);
        own.addi(x);
      }
      arrays.waitAll();
      assertThat(memory.getAtIndex(ValueLayout.JAVA_FLOAT, 9)).isEqualTo(1 + x.toFloatArray()[9]);
    }
  }

  @Test
  void onlyWhatDependsOnAFailureFails() {
    if (isNaive()) {
      return;
    }
    NDArray failed = x.take(arrays.of(new long[] {SIDE + 1}, 1), 0).broadcastTo(SIDE, SIDE);
    NDArray good;
    NDArray bad;
    try (var _ = arrays.bulk(15)) {
      good = x.add(1).mul(2);
      bad = good.add(failed);
      good.subi(x);
    }
    assertThat(catchThrowableOfType(OperationFailed.class, bad::toFloatArray).operation()).isEqualTo("Gather");
    assertThat(good.toFloatArray()[0]).isEqualTo(2);
    arrays.waitAll();
  }

  /** With memory for two of three results, two of the calls succeed, as they do one by one. */
  @Test
  void outOfMemoryFailsTheCallThatLacksIt() {
    if (isNaive()) {
      return;
    }
    ArrayMemory memory = ArrayMemory.DEFAULT.withKind(ArrayMemory.Kind.NAIVE).withLimitBytes(4 * BYTES - 1);
    try (var limited = ArrayRuntime.open(options().withMemory(memory)); var _ = limited.scope()) {
      NDArray from = limited.copyOf(x.toHost());
      NDArray a;
      NDArray b;
      NDArray c;
      try (var _ = limited.bulk(15)) {
        a = from.add(1);
        b = a.mul(2);
        c = b.sub(from);
      }
      assertThat(b.toFloatArray()[0]).isEqualTo(2);
      assertThat(a.toFloatArray()[0]).isEqualTo(1);
      assertThat(catchThrowableOfType(OperationFailed.class, c::toFloatArray).operation()).isEqualTo("Sub");
    }
  }

  @Test
  void gradientsAreThoseWithoutABulk() {
    float[] wanted = gradient(0);
    assertThat(gradient(15)).isEqualTo(wanted);
    assertThat(gradient(3)).isEqualTo(wanted);
  }

  private float[] gradient(int bulk) {
    try (var _ = arrays.scope(); var _ = arrays.bulk(bulk)) {
      NDArray w = x.copy();
      w.attachGradient();
      try (var _ = Autograd.record()) {
        w.mul(w).tanh().add(w).mul(2).sub(x).sum().backward();
      }
      return w.gradient().toFloatArray();
    }
  }
}
