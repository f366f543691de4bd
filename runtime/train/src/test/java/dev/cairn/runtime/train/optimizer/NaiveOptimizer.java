package dev.cairn.runtime.train.optimizer;

/** The update rules element by element, in doubles, written from the papers' formulas. */
final class NaiveOptimizer {
  private final Optimizer optimizer;
  private final double[] w;
  private final double[][] states;

  NaiveOptimizer(Optimizer optimizer, double[] initial) {
    this.optimizer = optimizer;
    this.w = initial.clone();
    this.states = new double[3][initial.length];
  }

  double[] parameter() {
    return w;
  }

  void update(double[] gradient, int t) {
    double rate = optimizer.schedule().rate(t);
    String settings = optimizer.settings().getOrDefault("gradients", "");
    double rescale = number(settings, "rescale=");
    double clip = number(settings, "clip=");
    double decay = number(settings, "decay=");
    double[] g = gradient.clone();
    for (int i = 0; i < g.length; i++) {
      g[i] = Math.max(-clip, Math.min(clip, g[i] * rescale));
    }
    switch (optimizer.rule()) {
      case Sgd it -> sgd(it, g, rate, decay);
      case Nag it -> nag(it, g, rate, decay);
      case Adam it -> adam(it, g, rate, decay, t);
      case RmsProp it -> rmsProp(it, g, rate, decay);
      case Adagrad it -> adagrad(it, g, rate, decay);
      case Lamb it -> lamb(it, g, rate, decay, t);
      case Ftrl it -> ftrl(it, g, rate, decay);
      default -> throw new AssertionError(optimizer.rule());
    }
  }

  private static double number(String settings, String key) {
    String rest = settings.substring(settings.indexOf(key) + key.length());
    return Double.parseDouble(rest.split("[,\\]]", -1)[0]);
  }

  private void sgd(Sgd rule, double[] g, double rate, double decay) {
    double[] v = states[0];
    for (int i = 0; i < w.length; i++) {
      double d = g[i] + decay * w[i];
      if (rule.rule() == MomentumRule.MXNET) {
        v[i] = rule.momentum() * v[i] - rate * d;
        w[i] += v[i];
      } else {
        v[i] = rule.momentum() * v[i] + d;
        w[i] -= rate * v[i];
      }
    }
  }

  private void nag(Nag rule, double[] g, double rate, double decay) {
    double[] v = states[0];
    double mu = rule.momentum();
    for (int i = 0; i < w.length; i++) {
      double d = g[i] + decay * w[i];
      double old = v[i];
      if (rule.rule() == MomentumRule.MXNET) {
        v[i] = mu * old - rate * d;
        w[i] += (1 + mu) * v[i] - mu * old;
      } else {
        v[i] = mu * old + d;
        w[i] -= rate * (d + mu * v[i]);
      }
    }
  }

  private void adam(Adam rule, double[] g, double rate, double decay, int t) {
    for (int i = 0; i < w.length; i++) {
      double d = g[i];
      if (rule.decoupled()) {
        w[i] -= rate * decay * w[i];
      } else {
        d += decay * w[i];
      }
      states[0][i] = rule.beta1() * states[0][i] + (1 - rule.beta1()) * d;
      states[1][i] = rule.beta2() * states[1][i] + (1 - rule.beta2()) * d * d;
      double first = 1 - Math.pow(rule.beta1(), t);
      double second = 1 - Math.pow(rule.beta2(), t);
      w[i] -= rule.rule() == EpsilonRule.MXNET
        ? rate * Math.sqrt(second) / first * states[0][i] / (Math.sqrt(states[1][i]) + rule.epsilon())
        : rate * (states[0][i] / first) / (Math.sqrt(states[1][i] / second) + rule.epsilon());
    }
  }

  private void rmsProp(RmsProp rule, double[] g, double rate, double decay) {
    double a = rule.alpha();
    double e = rule.epsilon();
    boolean isMxnet = rule.rule() == EpsilonRule.MXNET;
    for (int i = 0; i < w.length; i++) {
      double d = g[i] + decay * w[i];
      states[0][i] = a * states[0][i] + (1 - a) * d * d;
      states[1][i] = a * states[1][i] + (1 - a) * d;
      double spread = states[0][i] - (rule.centred() ? states[1][i] * states[1][i] : 0);
      double step = d / (isMxnet ? Math.sqrt(spread + e) : Math.sqrt(spread) + e);
      if (rule.momentum() == 0) {
        w[i] -= rate * step;
      } else if (isMxnet) {
        states[2][i] = rule.momentum() * states[2][i] - rate * step;
        w[i] += states[2][i];
      } else {
        states[2][i] = rule.momentum() * states[2][i] + step;
        w[i] -= rate * states[2][i];
      }
      w[i] = Math.max(-rule.clipWeights(), Math.min(rule.clipWeights(), w[i]));
    }
  }

  private void adagrad(Adagrad rule, double[] g, double rate, double decay) {
    for (int i = 0; i < w.length; i++) {
      if (rule.rule() == EpsilonRule.MXNET) {
        states[0][i] += g[i] * g[i];
        w[i] -= rate * (g[i] / Math.sqrt(states[0][i] + rule.epsilon()) + decay * w[i]);
      } else {
        double d = g[i] + decay * w[i];
        states[0][i] += d * d;
        w[i] -= rate * d / (Math.sqrt(states[0][i]) + rule.epsilon());
      }
    }
  }

  private void lamb(Lamb rule, double[] g, double rate, double decay, int t) {
    double[] r = new double[w.length];
    double norm = 0;
    double stepNorm = 0;
    for (int i = 0; i < w.length; i++) {
      states[0][i] = rule.beta1() * states[0][i] + (1 - rule.beta1()) * g[i];
      states[1][i] = rule.beta2() * states[1][i] + (1 - rule.beta2()) * g[i] * g[i];
      double mean = states[0][i] / (1 - Math.pow(rule.beta1(), t));
      double square = states[1][i] / (1 - Math.pow(rule.beta2(), t));
      r[i] = mean / (Math.sqrt(square) + rule.epsilon()) + decay * w[i];
      norm += w[i] * w[i];
      stepNorm += r[i] * r[i];
    }
    double clamped = Math.min(rule.upper(), Math.max(rule.lower(), Math.sqrt(norm)));
    double ratio = norm > 0 && stepNorm > 0 ? clamped / Math.sqrt(stepNorm) : 1;
    for (int i = 0; i < w.length; i++) {
      w[i] -= rate * ratio * r[i];
    }
  }

  private void ftrl(Ftrl rule, double[] g, double rate, double decay) {
    double[] z = states[0];
    double[] n = states[1];
    for (int i = 0; i < w.length; i++) {
      double square = g[i] * g[i];
      z[i] += g[i] - (Math.sqrt(n[i] + square) - Math.sqrt(n[i])) * w[i] / rate;
      n[i] += square;
      w[i] = Math.abs(z[i]) <= rule.lambda()
        ? 0
        : (Math.signum(z[i]) * rule.lambda() - z[i]) / ((rule.beta() + Math.sqrt(n[i])) / rate + decay);
    }
  }
}
