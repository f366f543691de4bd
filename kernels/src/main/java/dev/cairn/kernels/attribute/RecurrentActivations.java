package dev.cairn.kernels.attribute;

import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The activation functions of a recurrent network, direction by direction: attribute {@code activations}. Attributes
 * {@code activation_alpha} and {@code activation_beta} list parameters of those functions that have them, in order.
 */
public record RecurrentActivations(List<Function> functions) {
  private static final Set<String> NAMES = Set.of("affine", "relu", "leakyrelu", "thresholdedrelu", "tanh",
    "scaledtanh", "sigmoid", "hardsigmoid", "elu", "softsign", "softplus");
  private static final Set<String> WITH_ALPHA = Set.of("affine", "leakyrelu", "thresholdedrelu", "scaledtanh",
    "hardsigmoid", "elu");
  private static final Set<String> WITH_BETA = Set.of("affine", "scaledtanh", "hardsigmoid");

  /**
   * A function.
   *
   * @param name in lower case
   * @param parameters {@code alpha} and {@code beta}, where given
   */
  public record Function(String name, Attributes parameters) {
    /** The factor of {@code affine} and {@code scaledtanh}, by default 1. */
    public float alpha() {
      return parameters.getFloat("alpha", 1);
    }

    /** The number that {@code affine} adds, by default 0; the factor of {@code scaledtanh}'s operand, by default 1. */
    public float beta() {
      return parameters.getFloat("beta", name.equals("affine") ? 0 : 1);
    }
  }

  public RecurrentActivations {
    functions = List.copyOf(functions);
  }

  /** @throws IllegalArgumentException if there is no such function, or not the right number of them */
  public static RecurrentActivations of(Cell cell, Attributes attributes, int directions) {
    List<String> names = RecurrentForm.of(attributes).activations();
    if (names.isEmpty()) {
      return ofNames(repeated(defaults(cell), directions), attributes);
    }
    if (names.size() != cell.activations() * directions) {
      throw new IllegalArgumentException(
        "wrong number of activations: activations=%s directions=%d each=%d".formatted(
          names, directions, cell.activations()));
    }
    return ofNames(names, attributes);
  }

  private static RecurrentActivations ofNames(List<String> names, Attributes attributes) {
    List<Float> alphas = attributes.getFloats("activation_alpha");
    List<Float> betas = attributes.getFloats("activation_beta");
    List<Function> functions = new ArrayList<>();
    int alpha = 0;
    int beta = 0;
    for (String written : names) {
      String name = written.toLowerCase(Locale.ROOT);
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException("no such activation: name=\"%s\"".formatted(written));
      }
      Attributes parameters = Attributes.NONE;
      if (WITH_ALPHA.contains(name) && alpha < alphas.size()) {
        parameters = parameters.with("alpha", new AttributeValue.Real(alphas.get(alpha++)));
      }
      if (WITH_BETA.contains(name) && beta < betas.size()) {
        parameters = parameters.with("beta", new AttributeValue.Real(betas.get(beta++)));
      }
      functions.add(new Function(name, parameters));
    }
    return new RecurrentActivations(functions);
  }

  private static List<String> defaults(Cell cell) {
    return switch (cell) {
      case RNN -> List.of("tanh");
      case GRU -> List.of("sigmoid", "tanh");
      case LSTM -> List.of("sigmoid", "tanh", "tanh");
    };
  }

  private static List<String> repeated(List<String> names, int directions) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < directions; i++) {
      all.addAll(names);
    }
    return all;
  }

  /** Whether the cell has its default functions. */
  public boolean isDefault(Cell cell) {
    List<String> wanted = repeated(defaults(cell), functions.size() / cell.activations());
    return functions.stream().map(Function::name).toList().equals(wanted);
  }
}
