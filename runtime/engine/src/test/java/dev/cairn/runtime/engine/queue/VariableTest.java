package dev.cairn.runtime.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A variable's queue by itself, without an engine. */
class VariableTest {
  private final Variables variables = new Variables();

  /** What the rules say, with who is in and who waits written down. */
  private static final class Model {
    private final List<OperationBlock> in = new ArrayList<>();
    private final Deque<OperationBlock> line = new ArrayDeque<>();
    private long version;

    /** Returns whether it is in at once. */
    boolean push(OperationBlock block) {
      if (line.isEmpty() && mayJoin(block)) {
        in.add(block);
        return true;
      }
      line.add(block);
      return false;
    }

    private boolean mayJoin(OperationBlock block) {
      return in.isEmpty() || (!writes(block) && !writes(in.get(0)));
    }

    /** Returns who is in now and was not. */
    List<OperationBlock> end(OperationBlock block) {
      in.remove(block);
      version += writes(block) ? 1 : 0;
      List<OperationBlock> ready = new ArrayList<>();
      while (!line.isEmpty() && mayJoin(line.element())) {
        in.add(line.element());
        ready.add(line.remove());
      }
      return ready;
    }
  }

  private static boolean writes(OperationBlock block) {
    return block.operation().footprint().isWritten(0);
  }

  private static OperationBlock block(Footprint footprint) {
    return new OperationBlock(Operation.of("b", footprint, () -> {}), 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 50, 95})
  void aRandomQueueIsThatOfTheRules(int writesInAHundred) {
    Variable variable = variables.make("v");
    var model = new Model();
    var random = new SplittableRandom(writesInAHundred);
    for (int step = 0; step < 20_000; step++) {
      // Now the line grows long, now it empties.
      boolean pushes = random.nextInt(100) < (step / 1000 % 2 == 0 ? 60 : 40);
      if (pushes || model.in.isEmpty()) {
        boolean write = random.nextInt(100) < writesInAHundred;
        OperationBlock block = block(write ? Footprint.writing(variable) : Footprint.reading(variable));
        assertThat(block.enqueue()).isEqualTo(model.push(block));
      } else {
        OperationBlock block = model.in.get(random.nextInt(model.in.size()));
        OperationBlock last = block.operation().footprint().leave(null);
        assertThat(ring(last)).isEqualTo(model.end(block));
      }
      boolean hasWrite = model.in.stream().anyMatch(VariableTest::writes) || !model.line.isEmpty();
      assertThat(variable.hasWrite()).isEqualTo(hasWrite);
      assertThat(variable.version()).isEqualTo(model.version);
    }
    assertThat(model.version).isGreaterThan(100);
  }

  private static List<OperationBlock> ring(@Nullable OperationBlock last) {
    List<OperationBlock> blocks = new ArrayList<>();
    OperationBlock block = last == null ? null : last.next();
    while (block != null) {
      blocks.add(block);
      block = block.equals(last) ? null : block.next();
    }
    return blocks;
  }

  @Test
  void theVersionCountsWritesOfBothKinds() {
    Variable variable = variables.make("v");
    for (int i = 0; i < 9_000; i++) {
      assertThat(variable.version()).isEqualTo(i);
      if (i % 2 == 0) {
        variable.countWrite();
      } else {
        assertThat(block(Footprint.writing(variable)).enqueue()).isTrue();
        assertThat(Footprint.writing(variable).leave(null)).isNull();
      }
    }
  }

  @Test
  void whoAsksForTheVersionMeanwhileNeverSeesItGoBack() throws InterruptedException {
    versionsNeverGoBack(50_000);
  }

  @Test
  @Tag("soak")
  void whoAsksForTheVersionMeanwhileNeverSeesItGoBackForLong() throws InterruptedException {
    versionsNeverGoBack(100_000_000);
  }

  private void versionsNeverGoBack(int writes) throws InterruptedException {
    Variable variable = variables.make("v");
    var ended = new AtomicBoolean();
    var wrong = new AtomicReference<String>();
    Thread asks = Thread.ofPlatform().start(() -> {
      long last = 0;
      while (!ended.get()) {
        long version = variable.version();
        if (version < last) {
          wrong.set(last + " then " + version);
        }
        last = version;
      }
    });
    long before = 0;
    for (int i = 0; i < writes && wrong.get() == null; i++) {
      boolean isIn = block(Footprint.writing(variable)).enqueue();
      Footprint.writing(variable).leave(null);
      long version = variable.version();
      if (!isIn || version - before != 1) {
        wrong.set(isIn + " " + before + " then " + version);
      }
      before = version;
    }
    ended.set(true);
    asks.join();
    assertThat(wrong.get()).isNull();
    assertThat(variable.version()).isEqualTo(writes);
  }

  @Test
  void moreReadersThanCanBeCountedWait() {
    long most = StateWord.READERS;
    long[] words = {most - 1, 0};
    var variable = new Variable("v", variables, words, 0);
    assertThat(block(Footprint.reading(variable)).enqueue()).as("the last that can be counted").isTrue();
    OperationBlock second = block(Footprint.reading(variable));
    OperationBlock third = block(Footprint.reading(variable));
    OperationBlock writer = block(Footprint.writing(variable));
    assertThat(second.enqueue()).isFalse();
    assertThat(third.enqueue()).isFalse();
    assertThat(writer.enqueue()).isFalse();
    assertThat(Footprint.reading(variable).leave(null)).as("all but one are in").isNull();
    words[0] -= (most - 3) * StateWord.READER;
    assertThat(Footprint.reading(variable).leave(null)).as("one is in").isNull();
    assertThat(ring(Footprint.reading(variable).leave(null))).containsExactly(second, third);
    assertThat(Footprint.reading(variable).leave(null)).isNull();
    assertThat(ring(Footprint.reading(variable).leave(null))).containsExactly(writer);
    assertThat(Footprint.writing(variable).leave(null)).isNull();
    assertThat(words[0]).as("free").isZero();
    assertThat(variable.version()).isEqualTo(1);
  }

  /** A variable lets in as many readers as it can count, and no carry reaches the bits behind the count. */
  @Test
  @Tag("long")
  void noMoreReadersAreLetInThanCanBeCounted() {
    long[] words = new long[2];
    var variable = new Variable("v", variables, words, 0);
    assertThat(block(Footprint.writing(variable)).enqueue()).isTrue();
    int readers = (int) StateWord.READERS + 2;
    Footprint reading = Footprint.reading(variable);
    OperationBlock reader = block(reading);
    for (int i = 0; i < readers; i++) {
      // One block in many places: it is never run, and gets ready only when all have let it in.
      reading.append(reader);
    }
    Footprint.writing(variable).leave(null);
    assertThat(words[0] & StateWord.READERS).isEqualTo(StateWord.READERS);
    assertThat(StateWord.isLocked(words[0])).isFalse();
    assertThat(variable.version()).isEqualTo(1);
    for (long i = 0; i < StateWord.READERS; i++) {
      Footprint.reading(variable).leave(null);
    }
    assertThat(words[0] & StateWord.READERS).as("those that were left").isEqualTo(2);
    assertThat(variable.hasWrite()).as("no block waits any more").isFalse();
  }

  /** The thread that makes a block ready runs it; cells are plain, so that two writers at a time lose counts. */
  @Test
  void threadsThatPushOverSeveralVariablesLoseNothing() throws InterruptedException {
    threadsPush(1_000);
  }

  @Test
  @Tag("soak")
  void threadsThatPushVeryOftenOverSeveralVariablesLoseNothing() throws InterruptedException {
    threadsPush(1_000_000);
  }

  private void threadsPush(int pushes) throws InterruptedException {
    int threads = 4;
    Variable[] all = {variables.make("a"), variables.make("b"), variables.make("c")};
    int[] cells = new int[all.length];
    int[][] written = new int[threads][all.length];
    List<Thread> pushers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int[] mine = written[t];
      var random = new SplittableRandom(t);
      pushers.add(Thread.ofPlatform().start(() -> {
        for (int i = 0; i < pushes; i++) {
          int write = random.nextInt(1, 1 << all.length);
          List<Variable> reads = new ArrayList<>();
          List<Variable> writes = new ArrayList<>();
          for (int v = 0; v < all.length; v++) {
            if ((write >> v & 1) != 0) {
              writes.add(all[v]);
              mine[v]++;
            } else if (random.nextBoolean()) {
              reads.add(all[v]);
            }
          }
          push(Operation.of("count", Footprint.of(reads, writes), () -> {
            for (int v = 0; v < cells.length; v++) {
              // Not even 0 may be added to a count that this block does not write.
              if ((write >> v & 1) != 0) {
                cells[v]++;
              }
            }
          }));
        }
      }));
    }
    for (Thread pusher : pushers) {
      pusher.join();
    }
    for (int v = 0; v < all.length; v++) {
      int sum = 0;
      for (int[] mine : written) {
        sum += mine[v];
      }
      assertThat(cells[v]).isEqualTo(sum);
      assertThat(all[v].version()).isEqualTo(sum);
      assertThat(all[v].hasWrite()).isFalse();
    }
  }

  /** Others let a block in after it has its place at its variables, and before its thread counts those it had free. */
  @Test
  void aBlockThatOthersLetInWhileItIsPushedIsReadyOnce() {
    Variable a = variables.make("a");
    Variable b = variables.make("b");
    Variable c = variables.make("c");
    Footprint all = Footprint.writing(a, b, c);
    OperationBlock holdsA = block(Footprint.writing(a));
    OperationBlock holdsB = block(Footprint.writing(b));
    assertThat(holdsA.enqueue() && holdsB.enqueue()).isTrue();

    OperationBlock both = block(all);
    int free = all.append(both);
    assertThat(free).isEqualTo(1);
    assertThat(Footprint.writing(a).leave(null)).isNull();
    assertThat(Footprint.writing(b).leave(null)).as("its thread has not counted yet").isNull();
    assertThat(both.isReady(free)).isTrue();
    assertThat(all.leave(null)).isNull();

    assertThat(holdsAgain(a) && holdsAgain(b)).isTrue();
    OperationBlock one = block(all);
    int free1 = all.append(one);
    assertThat(Footprint.writing(b).leave(null)).isNull();
    assertThat(one.isReady(free1)).as("one is still in use").isFalse();
    assertThat(ring(Footprint.writing(a).leave(null))).containsExactly(one);
  }

  private static boolean holdsAgain(Variable variable) {
    return block(Footprint.writing(variable)).enqueue();
  }

  /** The delete comes after the push has found all variables usable, and before it has its places. */
  @Test
  void aPushThatMeetsADeletedVariableHasNoPlaceAnywhere() {
    Variable stays = variables.make("stays");
    Variable goes = variables.make("goes");
    OperationBlock late = block(Footprint.writing(stays, goes));
    assertThat(goes.delete()).isTrue();
    assertThatThrownBy(late::enqueue).isInstanceOf(IllegalStateException.class).hasMessageContaining(
      "a deleted variable");
    assertThat(stays.hasWrite()).isFalse();
    assertThat(holdsAgain(stays)).isTrue();
  }

  private static void push(Operation operation) {
    var block = new OperationBlock(operation, 0);
    Deque<OperationBlock> ready = new ArrayDeque<>();
    if (block.enqueue()) {
      ready.add(block);
    }
    while (!ready.isEmpty()) {
      Operation next = ready.remove().operation();
      next.work().run();
      ready.addAll(ring(next.footprint().leave(null)));
    }
  }

  @Test
  void aDeleteThatFollowsAStreamDoesNotRunAtOnce() {
    Variable x = variables.make("x");
    assertThat(x.tryEnterLast()).isTrue();
    x.endWrite(null);
    // Noted by an operation that leaves between a look at the marks and the attempt.
    x.ownMarks();
    assertThat(x.tryEnterLast()).isFalse();
    assertThat(x.hasWrite()).isFalse();
  }
}
