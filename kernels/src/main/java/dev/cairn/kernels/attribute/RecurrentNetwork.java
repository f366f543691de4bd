package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * The extents of an {@code LSTM}, {@code GRU} or {@code RNN}, and where its elements are. X is {@code
 * [step,batch,input]}, Y {@code [step,direction,batch,hidden]} and a state {@code [direction,batch,hidden]}. With
 * attribute {@code layout} 1 they are {@code [batch,step,input]}, {@code [batch,step,direction,hidden]} and {@code
 * [batch,direction,hidden]}. All positions are in elements.
 *
 * @param firstReversed whether the only direction, or the first of two, runs from the last step to the first
 */
public record RecurrentNetwork(Cell cell, boolean batchFirst, boolean firstReversed, int directions, int steps,
  int batch, int input, int hidden) {
  /** The kinds of cells. */
  public enum Cell {
    /** Order of gates: input. */
    RNN(1, 1),
    /** Order of gates: update, reset, hidden. */
    GRU(3, 2),
    /** Order of gates: input, output, forget, cell. */
    LSTM(4, 3);

    private final int gates;
    private final int activations;

    Cell(int gates, int activations) {
      this.gates = gates;
      this.activations = activations;
    }

    /** How many blocks of {@code hidden} rows the weights have. */
    public int gates() {
      return gates;
    }

    /** How many activation functions a direction has. */
    public int activations() {
      return activations;
    }
  }

  /**
   * Reads attributes and shapes.
   *
   * @param weights the shape of the second input, W
   * @throws IllegalArgumentException if X and W do not fit each other and the attributes
   */
  public static RecurrentNetwork of(Cell cell, Attributes attributes, Shape x, Shape weights) {
    RecurrentForm form = RecurrentForm.of(attributes);
    int directions = switch (form.direction()) {
      case "forward", "reverse" -> 1;
      case "bidirectional" -> 2;
      default -> throw new IllegalArgumentException("no such direction: direction=\"%s\"".formatted(form.direction()));
    };
    long layout = form.layout();
    if (layout != 0 && layout != 1) {
      throw new IllegalArgumentException("no such layout: layout=" + layout);
    }
    if (x.rank() != 3 || weights.rank() != 3) {
      throw new IllegalArgumentException("three axes are needed: x=%s w=%s".formatted(x, weights));
    }
    int step = (int) layout;
    int hidden = Math.toIntExact(weights.extent(1) / cell.gates);
    var network = new RecurrentNetwork(cell, layout == 1, form.isReversed(), directions, Math.toIntExact(x
      .extent(step)), Math.toIntExact(x.extent(1 - step)), Math.toIntExact(x.extent(2)), hidden);
    if (!weights.equals(network.weightShape()) || attributes.getLong("hidden_size", hidden) != hidden) {
      throw new IllegalArgumentException("weights have another shape: w=%s wanted=%s hidden_size=%d".formatted(weights,
        network.weightShape(), attributes.getLong("hidden_size", hidden)));
    }
    return network;
  }

  /** The shape of W. */
  public Shape weightShape() {
    return Shape.of(directions, gateRows(), input);
  }

  /** The shape of R. */
  public Shape recurrentShape() {
    return Shape.of(directions, gateRows(), hidden);
  }

  /** The shape of B: biases of the input, then biases of the recurrence. */
  public Shape biasShape() {
    return Shape.of(directions, 2L * gateRows());
  }

  /** The shape of P: weights from the state of the cell to gates input, output and forget. */
  public Shape peepholeShape() {
    return Shape.of(directions, 3L * hidden);
  }

  /** The shape of a state. */
  public Shape stateShape() {
    return batchFirst ? Shape.of(batch, directions, hidden) : Shape.of(directions, batch, hidden);
  }

  /** The shape of Y. */
  public Shape resultShape() {
    return batchFirst ? Shape.of(batch, steps, directions, hidden) : Shape.of(steps, directions, batch, hidden);
  }

  /** Rows of W and R in one direction. */
  public int gateRows() {
    return cell.gates * hidden;
  }

  /** Whether a direction runs from the last step to the first. */
  public boolean isReversed(int direction) {
    return direction == 1 || firstReversed;
  }

  /** The row of X, in rows of {@code input} elements. */
  public int inputRow(int step, int sequence) {
    return batchFirst ? sequence * steps + step : step * batch + sequence;
  }

  /** The place at which a row of Y starts. */
  public long resultAt(int step, int direction, int sequence) {
    long row = batchFirst
      ? ((long) sequence * steps + step) * directions + direction
      : ((long) step * directions + direction) * batch + sequence;
    return row * hidden;
  }

  /** The place at which a row of a state starts. */
  public long stateAt(int direction, int sequence) {
    return (batchFirst ? (long) sequence * directions + direction : (long) direction * batch + sequence) * hidden;
  }
}
