package dev.cairn.benchmarks.breadth;

import dev.cairn.benchmarks.written.WrittenModel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A model of one node, while a {@link Form} writes it. The case decides its operator, its element type and its seed.
 */
final class OneNode {
  /** The operator set that has all operators of the forms, and the version of the format that goes with it. */
  private static final long OPSET = 22;
  private static final long VERSION = 10;

  private final BreadthCase of;
  private final SplittableRandom random;
  private final WrittenModel model;
  private final List<String> operands = new ArrayList<>();
  private final List<AttributeProto> attributes = new ArrayList<>();
  private int results = 1;

  OneNode(BreadthCase of, long seed) {
    this.of = of;
    this.random = new SplittableRandom(seed * 31 + of.toString().hashCode());
    this.model = WrittenModel.of(seed);
  }

  /** A shape of so many long axes. */
  long[] shape(int rank) {
    return of.size().balanced(rank, random);
  }

  /** The shape of images. */
  long[] images() {
    return of.size().images(random);
  }

  /** The axis of the case, in a shape of three axes. */
  int axis() {
    return of.place();
  }

  DType dtype() {
    return of.dtype();
  }

  /** An operand that comes with each run. */
  OneNode operand(DType dtype, long... shape) {
    operands.add(model.input("x" + operands.size(), dtype, shape));
    return this;
  }

  /** An operand of the case's element type. */
  OneNode operand(long... shape) {
    return operand(of.dtype(), shape);
  }

  /** A constant row of whole numbers. */
  OneNode longs(long... values) {
    operands.add(model.longs(values));
    return this;
  }

  /** A constant whole number. */
  OneNode scalar(long value) {
    operands.add(model.scalar(value));
    return this;
  }

  /** A constant row of real numbers. */
  OneNode floats(float... values) {
    operands.add(model.floats(values, values.length));
    return this;
  }

  /** An operand that is left out. */
  OneNode absent() {
    operands.add("");
    return this;
  }

  OneNode with(AttributeProto attribute) {
    attributes.add(attribute);
    return this;
  }

  OneNode results(int count) {
    results = count;
    return this;
  }

  int operandCount() {
    return operands.size();
  }

  /** The bytes of the model's file. */
  byte[] file() {
    model.nodes(of.operator(), operands, results, attributes.toArray(AttributeProto[]::new)).forEach(model::output);
    return model.file(VERSION, OPSET);
  }
}
