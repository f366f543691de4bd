package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;

/** A function of each element, without parameters. */
public final class Activation extends Layer {
  private final Kind kind;
  private final float slope;

  /** The functions, by PyTorch's names. */
  private enum Kind {
    RELU,
    LEAKY_RELU,
    ELU,
    SELU,
    GELU,
    SILU,
    MISH,
    SIGMOID,
    TANH,
    SOFTPLUS,
    SOFTSIGN,
    HARDSWISH,
    HARDSIGMOID
  }

  private Activation(Kind kind, float slope) {
    this.kind = kind;
    this.slope = slope;
  }

  public static Activation relu() {
    return new Activation(Kind.RELU, 0);
  }

  /** @param slope times which negative elements are taken */
  public static Activation leakyRelu(float slope) {
    return new Activation(Kind.LEAKY_RELU, slope);
  }

  public static Activation elu() {
    return new Activation(Kind.ELU, 0);
  }

  public static Activation selu() {
    return new Activation(Kind.SELU, 0);
  }

  public static Activation gelu() {
    return new Activation(Kind.GELU, 0);
  }

  public static Activation silu() {
    return new Activation(Kind.SILU, 0);
  }

  public static Activation mish() {
    return new Activation(Kind.MISH, 0);
  }

  public static Activation sigmoid() {
    return new Activation(Kind.SIGMOID, 0);
  }

  public static Activation tanh() {
    return new Activation(Kind.TANH, 0);
  }

  public static Activation softplus() {
    return new Activation(Kind.SOFTPLUS, 0);
  }

  public static Activation softsign() {
    return new Activation(Kind.SOFTSIGN, 0);
  }

  public static Activation hardswish() {
    return new Activation(Kind.HARDSWISH, 0);
  }

  public static Activation hardsigmoid() {
    return new Activation(Kind.HARDSIGMOID, 0);
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return switch (kind) {
      case RELU -> x.relu();
      case LEAKY_RELU -> x.leakyRelu(slope);
      case ELU -> x.elu();
      case SELU -> x.selu();
      case GELU -> x.gelu();
      case SILU -> x.silu();
      case MISH -> x.mish();
      case SIGMOID -> x.sigmoid();
      case TANH -> x.tanh();
      case SOFTPLUS -> x.softplus();
      case SOFTSIGN -> x.softsign();
      case HARDSWISH -> x.hardswish();
      case HARDSIGMOID -> x.hardsigmoid();
    };
  }
}
