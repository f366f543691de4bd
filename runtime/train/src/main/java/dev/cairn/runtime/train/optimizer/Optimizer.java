package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.schedule.Amount;
import dev.cairn.runtime.train.schedule.Schedule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * How parameters follow their gradients: a rule, its learning rate, and what happens to a gradient before. A gradient
 * is rescaled, then clipped element by element, then decayed, whatever the rule. Immutable: each method gives another
 * optimizer.
 */
public final class Optimizer {
  private static final double DEFAULT_RATE = 0.01;

  /** The end of {@link Object#toString}. */
  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+\\b");

  private final UpdateRule rule;
  private final Schedule schedule;
  private final Gradients gradients;
  private final Map<String, Double> rateMultipliers;
  private final Map<String, Double> decayMultipliers;

  /** How gradients are changed before the rule. */
  private record Gradients(double rescale, double clip, double decay) {}

  private Optimizer(UpdateRule rule, Schedule schedule, Gradients gradients, Map<String, Double> rateMultipliers,
    Map<String, Double> decayMultipliers) {
    this.rule = rule;
    this.schedule = schedule;
    this.gradients = gradients;
    this.rateMultipliers = Map.copyOf(rateMultipliers);
    this.decayMultipliers = Map.copyOf(decayMultipliers);
  }

  /** An optimizer with rate 0.01 that takes gradients as they are. */
  public static Optimizer of(UpdateRule rule) {
    return new Optimizer(rule, Schedule.constant(DEFAULT_RATE), new Gradients(1, Double.POSITIVE_INFINITY, 0), Map.of(),
      Map.of());
  }

  /** The optimizer with one learning rate for all updates. */
  public Optimizer rate(double rate) {
    return rate(Schedule.constant(rate));
  }

  /** The optimizer with a learning rate that depends on the update's number. */
  public Optimizer rate(Schedule rates) {
    return new Optimizer(rule, rates, gradients, rateMultipliers, decayMultipliers);
  }

  /** The optimizer with gradients times a factor, such as 1 / batch for a loss that is a sum. */
  public Optimizer rescale(double factor) {
    Amount.requireFinite("rescale", factor);
    return with(new Gradients(factor, gradients.clip, gradients.decay));
  }

  /** The optimizer with every element of a gradient clipped to between {@code -magnitude} and {@code magnitude}. */
  public Optimizer clip(double magnitude) {
    if (!(magnitude > 0)) {
      throw new IllegalArgumentException("the bound of clipped gradients must be positive: clip=" + magnitude);
    }
    return with(new Gradients(gradients.rescale, magnitude, gradients.decay));
  }

  public Optimizer weightDecay(double decay) {
    Amount.requireNotNegative("weightDecay", decay);
    return with(new Gradients(gradients.rescale, gradients.clip, decay));
  }

  private Optimizer with(Gradients others) {
    return new Optimizer(rule, schedule, others, rateMultipliers, decayMultipliers);
  }

  /** The optimizer with another learning rate for one parameter: {@code multiplier} times that of the others. */
  public Optimizer rateMultiplier(String parameter, double multiplier) {
    Amount.requireNotNegative("rateMultiplier", multiplier);
    Map<String, Double> more = new HashMap<>(rateMultipliers);
    more.put(parameter, multiplier);
    return new Optimizer(rule, schedule, gradients, more, decayMultipliers);
  }

  /** The optimizer with another weight decay for one parameter: {@code multiplier} times that of the others. */
  public Optimizer decayMultiplier(String parameter, double multiplier) {
    Amount.requireNotNegative("decayMultiplier", multiplier);
    Map<String, Double> more = new HashMap<>(decayMultipliers);
    more.put(parameter, multiplier);
    return new Optimizer(rule, schedule, gradients, rateMultipliers, more);
  }

  public UpdateRule rule() {
    return rule;
  }

  public Schedule schedule() {
    return schedule;
  }

  /**
   * The numbers that update {@code number} uses, by name.
   *
   * @throws IllegalArgumentException when the schedule's rate is negative, infinite or no number
   */
  public Map<String, Double> factors(long number) {
    double rate = schedule.rate(number);
    if (!(rate >= 0) || Double.isInfinite(rate)) {
      throw new IllegalArgumentException("a schedule gives no rate: update=%d rate=%s schedule=%s".formatted(number,
        rate, schedule));
    }
    return rule.factors(rate, number);
  }

  /**
   * The new value of a parameter.
   *
   * @param name the parameter's, for its multipliers
   * @param states the rule's, in their order
   * @param factors of this update, as scalars
   * @return the new parameter, then its new states
   */
  public <T extends Expression<T>> List<T> update(String name, T parameter, T gradient, List<T> states,
    Map<String, T> factors) {
    double decay = gradients.decay * decayMultipliers.getOrDefault(name, 1.0);
    T prepared = gradients.rescale == 1 ? gradient : gradient.mul(gradients.rescale);
    if (!Double.isInfinite(gradients.clip)) {
      prepared = prepared.clip(-gradients.clip, gradients.clip);
    }
    if (rule.decaysGradient() && decay != 0) {
      prepared = prepared.add(parameter.mul(decay));
    }
    return rule.update(new UpdateTerms<>(parameter, prepared, states, scaled(name, factors), decay));
  }

  /** A parameter's own rate multiplies every factor that has the rate in it. */
  private <T extends Expression<T>> Map<String, T> scaled(String name, Map<String, T> factors) {
    double multiplier = rateMultipliers.getOrDefault(name, 1.0);
    if (multiplier == 1) {
      return factors;
    }
    Map<String, T> scaled = new HashMap<>();
    factors.forEach((factor, value) -> scaled.put(factor, rule.isRate(factor) ? value.mul(multiplier) : value));
    return scaled;
  }

  /** @throws IllegalArgumentException when a multiplier is for a parameter that the model does not have */
  public void requireKnown(Collection<String> parameters) {
    Set<String> unknown = new TreeSet<>(rateMultipliers.keySet());
    unknown.addAll(decayMultipliers.keySet());
    unknown.removeAll(parameters);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("a multiplier is for no parameter of the model: names=%s parameters=%s"
        .formatted(unknown, parameters));
    }
  }

  /** The names of a parameter's states, such as {@code adam.m.fc1.weight}. */
  public List<String> stateNames(String parameter) {
    List<String> names = new ArrayList<>();
    rule.states().forEach(state -> names.add("%s.%s.%s".formatted(rule.name(), state, parameter)));
    return names;
  }

  /**
   * A schedule without a text of its own, such as a lambda, is described by some of its rates: they outlast a process.
   */
  private String scheduleText() {
    String text = schedule.toString();
    if (!IDENTITY.matcher(text).find()) {
      return text;
    }
    return LongStream.of(1, 2, 3, 10, 100, 1_000, 10_000, 100_000).mapToObj(it -> it + ": " + schedule.rate(it))
      .collect(Collectors.joining(", ", "rates {", "}"));
  }

  /** All settings as text: what a checkpoint says of the optimizer. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("optimizer", rule.toString());
    settings.put("schedule", scheduleText());
    settings.put("gradients", gradients.toString());
    settings.put("rateMultipliers", new TreeMap<>(rateMultipliers).toString());
    settings.put("decayMultipliers", new TreeMap<>(decayMultipliers).toString());
    return settings;
  }

  @Override
  public String toString() {
    return rule + ", rate " + schedule;
  }
}
