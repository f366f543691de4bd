package dev.cairn.kernels.cpu.recurrent;

import dev.cairn.kernels.attribute.RecurrentActivations;
import dev.cairn.kernels.attribute.RecurrentForm;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.elementwise.CpuActivations;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** The weights and functions of one direction of a recurrent network, in {@code double}. Immutable. */
final class RecurrentWeights {
  private static final int BIASES = 3;
  private static final int PEEPHOLES = 7;

  private final int hidden;
  private final double[][] input;
  private final double[][] recurrent;
  private final double[] biases;
  private final double[] peepholes;
  private final List<DoubleUnaryOperator> activations;
  private final double clip;

  RecurrentWeights(KernelCall call, RecurrentNetwork network, int direction) {
    this.hidden = network.hidden();
    int rows = network.gateRows();
    this.input = rows(call, 1, new double[rows][network.input()], direction);
    this.recurrent = rows(call, 2, new double[rows][hidden], direction);
    this.biases = new double[2 * rows];
    if (call.has(BIASES)) {
      Elements.read(call.input(BIASES), (long) direction * biases.length, biases, biases.length);
    }
    this.peepholes = new double[3 * hidden];
    if (call.has(PEEPHOLES)) {
      Elements.read(call.input(PEEPHOLES), (long) direction * peepholes.length, peepholes, peepholes.length);
    }
    int count = network.cell().activations();
    this.activations = RecurrentActivations.of(network.cell(), call.attributes(), network.directions()).functions()
      .subList(direction * count, (direction + 1) * count).stream().map(RecurrentWeights::function).toList();
    float bound = RecurrentForm.of(call.attributes()).clip();
    this.clip = bound == 0 ? Double.POSITIVE_INFINITY : bound;
  }

  private static double[][] rows(KernelCall call, int operand, double[][] rows, int direction) {
    for (int row = 0; row < rows.length; row++) {
      long first = ((long) direction * rows.length + row) * rows[row].length;
      Elements.read(call.input(operand), first, rows[row], rows[row].length);
    }
    return rows;
  }

  private static DoubleUnaryOperator function(RecurrentActivations.Function function) {
    double alpha = function.alpha();
    return switch (function.name()) {
      case "affine" -> {
        double offset = function.beta();
        yield x -> alpha * x + offset;
      }
      case "scaledtanh" -> {
        double factor = function.beta();
        yield x -> alpha * Math.tanh(factor * x);
      }
      case "relu" -> CpuActivations::relu;
      case "leakyrelu" -> CpuActivations.leakyRelu(function.parameters());
      case "thresholdedrelu" -> CpuActivations.thresholdedRelu(function.parameters());
      case "tanh" -> Math::tanh;
      case "sigmoid" -> CpuActivations::sigmoid;
      case "hardsigmoid" -> CpuActivations.hardSigmoid(function.parameters());
      case "elu" -> CpuActivations.elu(function.parameters());
      case "softsign" -> CpuActivations::softsign;
      case "softplus" -> CpuActivations::softplus;
      default -> throw new IllegalArgumentException("no such activation: name=" + function.name());
    };
  }

  int hidden() {
    return hidden;
  }

  /** The input's term of an element of a gate, with its bias. */
  double ofInput(int gate, int element, double[] x) {
    int row = gate * hidden + element;
    return product(input[row], x) + biases[row];
  }

  /** The last state's term of an element of a gate, with its bias. */
  double ofState(int gate, int element, double[] state) {
    int row = gate * hidden + element;
    return product(recurrent[row], state) + biases[recurrent.length + row];
  }

  private static double product(double[] row, double[] x) {
    double sum = 0;
    for (int i = 0; i < row.length; i++) {
      sum += row[i] * x[i];
    }
    return sum;
  }

  /** The weight from an element of the cell's state to the same element of a gate. */
  double peephole(int gate, int element) {
    return peepholes[gate * hidden + element];
  }

  /** The activation function of a gate of x, which is clipped first. */
  double activate(int function, double x) {
    return activations.get(function).applyAsDouble(Math.max(-clip, Math.min(clip, x)));
  }

  /** The activation function of a cell's state, which is not clipped: so does ONNX Runtime. */
  double ofCell(double state) {
    return activations.get(2).applyAsDouble(state);
  }
}
