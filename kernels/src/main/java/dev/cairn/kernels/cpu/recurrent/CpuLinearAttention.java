package dev.cairn.kernels.cpu.recurrent;

import dev.cairn.kernels.attribute.LinearHeads;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code LinearAttention(query, key, value, state?, decay?, beta?)}: each step changes a matrix of state by its key and
 * value, and reads it with its query. Computed in {@code double}, head by head.
 */
public final class CpuLinearAttention implements Kernel {
  @Override
  public void run(KernelCall call) {
    LinearHeads heads = LinearHeads.of(call.attributes(), call.input(0).shape(), call.input(1).shape(), call.input(2)
      .shape());
    CpuStream.of(call).parallel((long) heads.batch() * heads.keyHeads(), 1, (first, end) -> {
      for (long item = first; item < end; item++) {
        var head = new Head(call, heads, (int) (item / heads.keyHeads()), (int) (item % heads.keyHeads()));
        for (int step = 0; step < heads.steps(); step++) {
          head.step(step);
        }
        head.end();
      }
    });
  }

  /** The state of one head of keys. */
  private static final class Head {
    private final KernelCall call;
    private final LinearHeads heads;
    private final int batch;
    private final int head;
    private final double[][] state;
    private final double[] key;
    private final double[] value;
    private final double[] decay;
    private final double scale;

    Head(KernelCall call, LinearHeads heads, int batch, int head) {
      this.call = call;
      this.heads = heads;
      this.batch = batch;
      this.head = head;
      this.state = new double[heads.size()][heads.valueSize()];
      this.key = new double[heads.size()];
      this.value = new double[heads.valueSize()];
      this.decay = new double[heads.size()];
      this.scale = heads.scale(call.attributes());
      for (int i = 0; i < state.length && call.has(3); i++) {
        Elements.read(call.input(3), stateAt(i), state[i], heads.valueSize());
      }
    }

    private long stateAt(int row) {
      return (((long) batch * heads.keyHeads() + head) * heads.size() + row) * heads.valueSize();
    }

    void step(int step) {
      long row = (long) batch * heads.steps() + step;
      long keyRow = row * heads.keyHeads() + head;
      Elements.read(call.input(1), keyRow * key.length, key, key.length);
      Elements.read(call.input(2), keyRow * value.length, value, value.length);
      if (heads.rule().decays()) {
        decay(keyRow);
      }
      if (heads.rule().corrects()) {
        correct(row);
      }
      for (int i = 0; i < key.length; i++) {
        for (int j = 0; j < value.length; j++) {
          state[i][j] += key[i] * value[j];
        }
      }
      for (int i = 0; i < heads.sharing(); i++) {
        read(row * heads.heads() + (long) head * heads.sharing() + i);
      }
    }

    /** Multiplies rows of the state: each with its own factor, or all with one. */
    private void decay(long keyRow) {
      TensorView given = call.input(4);
      boolean one = given.shape().extent(2) == heads.keyHeads() && heads.size() > 1;
      Elements.read(given, one ? keyRow : keyRow * decay.length, decay, one ? 1 : decay.length);
      for (int i = 0; i < key.length; i++) {
        double factor = Math.exp(decay[one ? 0 : i]);
        for (int j = 0; j < value.length; j++) {
          state[i][j] *= factor;
        }
      }
    }

    /** Replaces the value by its difference from the state's value of the key, times beta. */
    private void correct(long row) {
      TensorView given = call.input(5);
      double beta = given.doubleAt(given.shape().extent(2) == 1 ? row : row * heads.keyHeads() + head);
      for (int j = 0; j < value.length; j++) {
        double held = 0;
        for (int i = 0; i < key.length; i++) {
          held += key[i] * state[i][j];
        }
        value[j] = beta * (value[j] - held);
      }
    }

    private void read(long queryRow) {
      double[] query = new double[key.length];
      double[] result = new double[value.length];
      Elements.read(call.input(0), queryRow * query.length, query, query.length);
      for (int i = 0; i < query.length; i++) {
        for (int j = 0; j < result.length; j++) {
          result[j] += scale * query[i] * state[i][j];
        }
      }
      Elements.write(result, call.output(0), queryRow * result.length, result.length);
    }

    void end() {
      for (int i = 0; i < state.length && call.outputCount() > 1; i++) {
        Elements.write(state[i], call.output(1), stateAt(i), heads.valueSize());
      }
    }
  }
}
