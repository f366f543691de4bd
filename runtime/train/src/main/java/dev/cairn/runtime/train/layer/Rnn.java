package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.PartialType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recurrent layers, unrolled over the steps of a sequence {@code [T,N,features]}. The number of steps must be known.
 * Layer {@code k} has the parameters {@code weight_ih_lk}, {@code weight_hh_lk}, {@code bias_ih_lk} and {@code
 * bias_hh_lk}, and the same with {@code _reverse} for the way back. Methods that change how it works return a new
 * layer.
 *
 * <p>{@link #applyAll} takes a sequence, or a sequence and the first states {@code [layers·ways,N,hidden]}, and gives
 * the sequence and the last states: one of an RNN or a GRU, two of an LSTM.
 */
public final class Rnn extends Layer {
  private final Settings settings;
  private final List<RnnCell> cells = new ArrayList<>();

  /** @param ways 1, or 2 if the sequence is read backwards, too */
  private record Settings(RnnCell.Kind kind, long hidden, int layers, int ways, int timeAxis) {}

  private Rnn(Settings settings) {
    this.settings = settings;
    long rows = settings.kind.gates() * settings.hidden;
    for (int i = 0; i < settings.layers * settings.ways; i++) {
      String name = "_l" + i / settings.ways + (i % settings.ways == 0 ? "" : "_reverse");
      cells.add(new RnnCell(settings.kind, settings.hidden, parameter("weight_ih" + name, null, rows,
        PartialType.OPEN), parameter("weight_hh" + name, null, rows, settings.hidden),
        parameter("bias_ih" + name, null,
          rows),
        parameter("bias_hh" + name, null, rows)));
    }
  }

  private static Rnn of(RnnCell.Kind kind, long hidden) {
    return new Rnn(new Settings(kind, hidden, 1, 1, 0));
  }

  /** {@code tanh(W·x + b + U·h + c)}. */
  public static Rnn tanh(long hidden) {
    return of(RnnCell.Kind.TANH, hidden);
  }

  /** {@code relu(W·x + b + U·h + c)}. */
  public static Rnn relu(long hidden) {
    return of(RnnCell.Kind.RELU, hidden);
  }

  /** Long short-term memory (S. Hochreiter and J. Schmidhuber, 1997), with gates i, f, g, o. */
  public static Rnn lstm(long hidden) {
    return of(RnnCell.Kind.LSTM, hidden);
  }

  /** Gated recurrent units (K. Cho and others, 2014), with gates r, z, n. */
  public static Rnn gru(long hidden) {
    return of(RnnCell.Kind.GRU, hidden);
  }

  /** This many layers, each over the results of the layer before. */
  public Rnn layers(int count) {
    return new Rnn(new Settings(settings.kind, settings.hidden, count, settings.ways, settings.timeAxis));
  }

  /** Reads the sequence backwards, too; each step's result has both hidden states. */
  public Rnn bidirectional() {
    return new Rnn(new Settings(settings.kind, settings.hidden, settings.layers, 2, settings.timeAxis));
  }

  /** Sequences are {@code [N,T,features]}. */
  public Rnn batchFirst() {
    return new Rnn(new Settings(settings.kind, settings.hidden, settings.layers, settings.ways, 1));
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return forwardAll(pass, List.of(x)).getFirst();
  }

  @Override
  protected <T extends Expression<T>> List<T> forwardAll(LayerPass<T> pass, List<T> inputs) {
    int states = settings.kind.states();
    if (inputs.size() != 1 && inputs.size() != 1 + states) {
      throw new IllegalArgumentException("a sequence and its first states are wanted: inputs=%d wanted=1 or %d"
        .formatted(inputs.size(), 1 + states));
    }
    List<List<T>> first = new ArrayList<>();
    for (T state : inputs.subList(1, inputs.size())) {
      first.add(steps(state, 0, cells.size()));
    }
    List<List<T>> last = new ArrayList<>();
    T sequence = inputs.get(0);
    for (int layer = 0; layer < settings.layers; layer++) {
      List<List<T>> outputs = new ArrayList<>();
      for (int way = 0; way < settings.ways; way++) {
        int cell = layer * settings.ways + way;
        @Nullable
        List<T> state = first.isEmpty() ? null : first.stream().map(it -> it.get(cell)).toList();
        outputs.add(read(pass, sequence, cells.get(cell), way == 1, state, last));
      }
      sequence = joined(outputs);
    }
    List<T> results = new ArrayList<>();
    results.add(sequence);
    for (int i = 0; i < states; i++) {
      int state = i;
      results.add(stacked(last.stream().map(it -> it.get(state)).toList(), 0));
    }
    return results;
  }

  /** The hidden states of one way over a sequence, in the order of its steps. The last states go to a list. */
  private <T extends Expression<T>> List<T> read(LayerPass<T> pass, T sequence, RnnCell cell, boolean backwards,
    @Nullable List<T> first, List<List<T>> last) {
    List<T> inputs = new ArrayList<>(steps(cell.project(pass, sequence), settings.timeAxis, length(pass, sequence)));
    if (backwards) {
      Collections.reverse(inputs);
    }
    List<T> hidden = new ArrayList<>();
    @Nullable
    List<T> state = first;
    for (T input : inputs) {
      List<T> next = cell.step(pass, input, state);
      hidden.add(next.getFirst());
      state = next;
    }
    if (state != null) {
      last.add(state);
    }
    if (backwards) {
      Collections.reverse(hidden);
    }
    return hidden;
  }

  private <T extends Expression<T>> int length(LayerPass<T> pass, T sequence) {
    PartialType type = pass.type(sequence);
    long steps = type.rank() == 3 ? type.extents().orElseThrow().get(settings.timeAxis) : PartialType.OPEN;
    if (steps < 1) {
      throw new IllegalArgumentException("the number of steps must be known: sequence=%s axis=%d; leave only the batch "
        .formatted(type, settings.timeAxis) + "open");
    }
    return Math.toIntExact(steps);
  }

  private static <T extends Expression<T>> List<T> steps(T x, int axis, int count) {
    if (count == 1) {
      return List.of(x.squeeze(axis));
    }
    long[] ones = new long[count];
    Arrays.fill(ones, 1);
    return x.split(axis, ones).stream().map(it -> it.squeeze(axis)).toList();
  }

  private static <T extends Expression<T>> T stacked(List<T> parts, int axis) {
    List<T> all = parts.stream().map(it -> it.expandDims(axis)).toList();
    return all.size() == 1 ? all.getFirst() : all.getFirst().concat(axis, all.subList(1, all.size()));
  }

  private <T extends Expression<T>> T joined(List<List<T>> ways) {
    List<T> sequences = ways.stream().map(it -> stacked(it, settings.timeAxis)).toList();
    return sequences.size() == 1 ? sequences.getFirst() : sequences.getFirst().concat(-1, List.of(sequences.get(1)));
  }
}
