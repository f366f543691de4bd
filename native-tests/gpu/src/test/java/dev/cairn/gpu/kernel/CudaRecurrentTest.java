package dev.cairn.gpu.kernel;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recurrent networks on CUDA against the portable twins. */
class CudaRecurrentTest {
  private static final List<String> DIRECTIONS = List.of("forward", "reverse", "bidirectional");
  private static CudaTwins twins;

  private final SplittableRandom random = new SplittableRandom(33);

  @BeforeAll
  static void open() {
    twins = CudaTwins.open();
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  private TensorView floats(DType dtype, Shape shape) {
    return TestTensors.random(dtype, shape, random);
  }

  /** @param further whether there are biases, lengths and first states */
  private void check(Cell cell, DType dtype, Attributes attributes, boolean further) {
    int steps = 3;
    int batch = 2;
    int hidden = 5;
    boolean batchFirst = attributes.getLong("layout", 0) == 1;
    int directions = attributes.getText("direction", "forward").equals("bidirectional") ? 2 : 1;
    Shape x = batchFirst ? Shape.of(batch, steps, 35) : Shape.of(steps, batch, 35);
    Shape w = Shape.of(directions, (long) cell.gates() * hidden, 35);
    RecurrentNetwork network = RecurrentNetwork.of(cell, attributes, x, w);
    List<@Nullable TensorView> inputs = new ArrayList<>(
      List.of(floats(dtype, x), floats(dtype, w), floats(dtype, network
        .recurrentShape())));
    if (further) {
      inputs.add(floats(dtype, network.biasShape()));
      inputs.add(TestTensors.ofLongs(DType.INT32, Shape.of(batch), 2, 3));
      inputs.add(floats(dtype, network.stateShape()));
      if (cell == Cell.LSTM) {
        inputs.add(floats(dtype, network.stateShape()));
      }
    }
    var state = new TensorType(dtype, network.stateShape());
    List<TensorType> outputs = new ArrayList<>(List.of(new TensorType(dtype, network.resultShape()), state));
    if (cell == Cell.LSTM) {
      outputs.add(state);
    }
    twins.checkAll(cell.name(), attributes, outputs, 64, inputs.toArray(TensorView[]::new));
  }

  @Test
  void networksOfEveryKind() {
    for (Cell cell : Cell.values()) {
      for (String direction : DIRECTIONS) {
        Attributes attributes = Attributes.NONE.with("direction", new AttributeValue.Text(direction));
        check(cell, DType.FLOAT32, attributes, false);
        check(cell, DType.FLOAT32, attributes.with("layout", 1), true);
      }
    }
    check(Cell.GRU, DType.FLOAT32, Attributes.NONE.with("linear_before_reset", 1), true);
  }

  @Test
  @Tag("long")
  void networksOfOtherTypes() {
    for (Cell cell : Cell.values()) {
      check(cell, DType.FLOAT64, Attributes.NONE, true);
      check(cell, DType.FLOAT16, Attributes.NONE, true);
      check(cell, DType.BFLOAT16, Attributes.NONE, false);
    }
  }
}
