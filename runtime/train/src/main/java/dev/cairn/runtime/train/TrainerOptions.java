package dev.cairn.runtime.train;

import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.optimizer.Optimizer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Options of a trainer.
 *
 * @param session device, threads, memory limit and how the iteration is compiled
 * @param accumulate how many iterations add up their gradients before an update; at least 1
 * @param clipGlobalNorm the largest norm of all gradients together; infinite for no limit. All gradients live at once
 *   then, which the plan shows
 * @param keepsGradients whether gradients stay readable after an iteration, in memory of their own
 * @param seed decides the first values of parameters, and random layers
 * @param lossScale the factor by which the loss is multiplied before gradients are computed
 */
public record TrainerOptions(SessionOptions session, int accumulate, double clipGlobalNorm, boolean keepsGradients,
  long seed, LossScale lossScale) {
  /** The processor, an update in every iteration, gradients as they are and gone afterwards, seed 0, no scale. */
  public static final TrainerOptions DEFAULT = new TrainerOptions(SessionOptions.DEFAULT, 1, Double.POSITIVE_INFINITY,
    false, 0, LossScale.NONE);

  public TrainerOptions {
    if (accumulate < 1 || !(clipGlobalNorm > 0)) {
      throw new IllegalArgumentException("out of range: accumulate=%d clipGlobalNorm=%s".formatted(accumulate,
        clipGlobalNorm));
    }
  }

  public TrainerOptions withSession(SessionOptions options) {
    return new TrainerOptions(options, accumulate, clipGlobalNorm, keepsGradients, seed, lossScale);
  }

  /** These options with an update after every so many iterations, by the sum of their gradients. */
  public TrainerOptions withAccumulate(int iterations) {
    return new TrainerOptions(session, iterations, clipGlobalNorm, keepsGradients, seed, lossScale);
  }

  /** These options with gradients that are scaled down together when their norm is larger. */
  public TrainerOptions withClipGlobalNorm(double norm) {
    return new TrainerOptions(session, accumulate, norm, keepsGradients, seed, lossScale);
  }

  /** These options with gradients that stay until the next iteration. */
  public TrainerOptions withKeptGradients() {
    return new TrainerOptions(session, accumulate, clipGlobalNorm, true, seed, lossScale);
  }

  /**
   * These options with products, and the values between them, in 16 bits. Parameters, the optimizer's states, the loss
   * and updates stay as they are. {@code float16} has a dynamic scale of the loss, other types none.
   */
  public TrainerOptions withPrecision(Precision precision) {
    return withSession(session.withCompile(session.compile().withPrecision(precision))).withLossScale(
      precision == Precision.FLOAT16 ? LossScale.DYNAMIC : LossScale.NONE);
  }

  public TrainerOptions withLossScale(LossScale scale) {
    return new TrainerOptions(session, accumulate, clipGlobalNorm, keepsGradients, seed, scale);
  }

  /** The text by name in a checkpoint that describes these options. */
  Map<String, String> settings(Optimizer optimizer) {
    Map<String, String> settings = new LinkedHashMap<>(optimizer.settings());
    settings.put("accumulate", Integer.toString(accumulate));
    settings.put("clipGlobalNorm", Double.toString(clipGlobalNorm));
    settings.put("precision", session.compile().precision().toString());
    settings.put("lossScale", lossScale.toString());
    return settings;
  }

  public TrainerOptions withSeed(long other) {
    return new TrainerOptions(session, accumulate, clipGlobalNorm, keepsGradients, other, lossScale);
  }
}
