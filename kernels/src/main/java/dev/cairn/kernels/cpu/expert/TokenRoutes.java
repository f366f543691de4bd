package dev.cairn.kernels.cpu.expert;

import dev.cairn.kernels.attribute.ExpertForm;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Which experts each token takes, and with what shares. A route is a token with one of its experts; those of one expert
 * stand beside each other, by rising tokens.
 */
final class TokenRoutes {
  /** The token of each route. */
  private final int[] tokens;
  /** The share of the expert's result in the token's. */
  private final double[] shares;
  /** For each expert, its first route; then the number of routes. */
  private final int[] starts;

  /**
   * The experts with the greatest scores, the later one of equals, and the softmax of all scores.
   *
   * @param scores {@code [token, expert]}
   * @param given shares to take instead; the scores themselves for none
   * @param normalizes whether the shares of a token sum to 1
   */
  @SuppressWarnings("ReferenceEquality")
  TokenRoutes(ExpertForm form, TensorView scores, TensorView given, boolean normalizes) {
    int experts = Math.toIntExact(scores.shape().extent(1));
    int count = Math.toIntExact(scores.shape().extent(0));
    int chosen = form.chosen();
    int[] taken = new int[Math.multiplyExact(count, chosen)];
    double[] share = new double[taken.length];
    double[] line = new double[experts];
    this.starts = new int[experts + 1];
    for (int token = 0; token < count; token++) {
      Elements.read(scores, (long) token * experts, line, experts);
      softmax(line);
      choose(line, taken, token * chosen, chosen);
      if (given != scores) {
        Elements.read(given, (long) token * experts, line, experts);
      }
      double sum = 0;
      for (int i = token * chosen; i < (token + 1) * chosen; i++) {
        share[i] = line[taken[i]];
        sum += share[i];
        starts[taken[i] + 1]++;
      }
      for (int i = token * chosen; normalizes && i < (token + 1) * chosen; i++) {
        share[i] /= sum;
      }
    }
    for (int expert = 0; expert < experts; expert++) {
      starts[expert + 1] += starts[expert];
    }
    this.tokens = new int[taken.length];
    this.shares = new double[taken.length];
    int[] next = starts.clone();
    for (int i = 0; i < taken.length; i++) {
      int route = next[taken[i]]++;
      tokens[route] = i / chosen;
      shares[route] = share[i];
    }
  }

  private static void softmax(double[] line) {
    double most = Double.NEGATIVE_INFINITY;
    for (double score : line) {
      most = Math.max(most, score);
    }
    double sum = 0;
    for (int i = 0; i < line.length; i++) {
      line[i] = Math.exp(line[i] - most);
      sum += line[i];
    }
    for (int i = 0; i < line.length; i++) {
      line[i] /= sum;
    }
  }

  private static void choose(double[] line, int[] taken, int first, int count) {
    boolean[] isTaken = new boolean[line.length];
    for (int i = first; i < first + count; i++) {
      int best = -1;
      for (int expert = line.length - 1; expert >= 0; expert--) {
        if (!isTaken[expert] && (best < 0 || line[expert] > line[best])) {
          best = expert;
        }
      }
      isTaken[best] = true;
      taken[i] = best;
    }
  }

  int first(int expert) {
    return starts[expert];
  }

  int end(int expert) {
    return starts[expert + 1];
  }

  int token(int route) {
    return tokens[route];
  }

  double share(int route) {
    return shares[route];
  }
}
