package dev.cairn.runtime.operator;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.gradient.GradientRule;
import dev.cairn.runtime.operator.gradient.OperatorGradient;
import dev.cairn.runtime.operator.partial.PartialRule;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The row of one operator.
 *
 * @param name ONNX's name, such as {@code Conv}
 * @param minInputs how many inputs must be there; those after them are optional
 * @param maxInputs how many inputs there may be; {@link #ANY_NUMBER} for a variadic operator
 * @param typeRule from the inputs' types to the outputs' types
 * @param memory what the operator allows the memory planner
 * @param valueRule the first result's value, where the types fix it or the type rule computes it
 * @param results how many results each use has; 0 if the use says how many it wants
 * @param isPure whether equal inputs give equal results, so that a use may be computed once for several or before a run
 * @param bounds the largest types of results, where values decide them
 * @param arguments what ONNX calls the inputs, in order; of an operator with any number of inputs, one name
 * @param states the inputs that a training step of the operator replaces: running statistics
 * @param facts what passes and analyses ask
 */
public record OperatorDefinition(String name, int minInputs, int maxInputs, TypeRule typeRule, MemoryTraits memory,
  ValueRule valueRule, int results, boolean isPure, BoundRule bounds, List<String> arguments, List<Integer> states,
  OperatorFacts facts) {
  public static final int ANY_NUMBER = Integer.MAX_VALUE;

  public OperatorDefinition {
    if (minInputs < 0 || maxInputs < minInputs) {
      throw new IllegalArgumentException("inputs: name=%s min=%d max=%d".formatted(name, minInputs, maxInputs));
    }
  }

  /** An operator whose results' values depend on its inputs' values, which nearly all do. */
  public OperatorDefinition(String name, int minInputs, int maxInputs, TypeRule typeRule, MemoryTraits memory) {
    this(name, minInputs, maxInputs, typeRule, memory, ValueRule.NONE);
  }

  /** A pure operator of which each use says how many results it wants. */
  public OperatorDefinition(String name, int minInputs, int maxInputs, TypeRule typeRule, MemoryTraits memory,
    ValueRule valueRule) {
    this(name, minInputs, maxInputs, typeRule, memory, valueRule, 0, true, BoundRule.NONE);
  }

  /** An operator with one input, which ONNX calls {@code X}; see {@link #named} for others. */
  public OperatorDefinition(String name, int minInputs, int maxInputs, TypeRule typeRule, MemoryTraits memory,
    ValueRule valueRule, int results, boolean isPure, BoundRule bounds) {
    this(name, minInputs, maxInputs, typeRule, memory, valueRule, results, isPure, bounds, List.of("X"), List.of(),
      OperatorFacts.NONE);
  }

  /** The same operator, whose results have bounds. */
  public OperatorDefinition bounded(BoundRule rule) {
    return new OperatorDefinition(name, minInputs, maxInputs, typeRule, memory, valueRule, results, isPure, rule,
      arguments, states, facts);
  }

  /** The same operator, whose inputs have these names. */
  public OperatorDefinition named(String... names) {
    return new OperatorDefinition(name, minInputs, maxInputs, typeRule, memory, valueRule, results, isPure, bounds, List
      .of(names), states, facts);
  }

  /** The same operator, which replaces these inputs in training. */
  public OperatorDefinition withStates(Integer... inputs) {
    return new OperatorDefinition(name, minInputs, maxInputs, typeRule, memory, valueRule, results, isPure, bounds,
      arguments, List.of(inputs), facts);
  }

  /** The name of an input; {@code arg0}, {@code arg1}, ... for one without a name. */
  public String argument(int input) {
    if (maxInputs == ANY_NUMBER && input > 0) {
      return arguments.getFirst() + input;
    }
    return input < arguments.size() ? arguments.get(input) : "arg" + input;
  }

  /** The same operator with other memory traits. */
  public OperatorDefinition withMemory(MemoryTraits other) {
    return new OperatorDefinition(name, minInputs, maxInputs, typeRule, other, valueRule, results, isPure, bounds,
      arguments, states, facts);
  }

  /** The same operator, with these facts instead of its own. */
  public OperatorDefinition with(OperatorFacts other) {
    return new OperatorDefinition(name, minInputs, maxInputs, typeRule, memory, valueRule, results, isPure, bounds,
      arguments, states, other);
  }

  /** The same operator, with these traits, too. */
  public OperatorDefinition with(OperatorTrait... traits) {
    return with(facts.with(traits));
  }

  /** The same operator, which draws random numbers; this optional input has seed and first draw. */
  public OperatorDefinition drawing(int input) {
    return with(facts.drawing(input));
  }

  /** The same operator, of whose whole numbers a range is known. */
  public OperatorDefinition ranged(RangeRule rule) {
    return with(facts.ranged(rule));
  }

  /** The same operator, which does other work than one operation for each element of its result. */
  public OperatorDefinition working(WorkRule rule) {
    return with(facts.working(rule));
  }

  /** The same operator, whose result may be its first input unchanged. */
  public OperatorDefinition unchanged(UnchangedRule rule) {
    return with(facts.unchanged(rule));
  }

  /** The same operator, to which layers give their parameters as these inputs. */
  public OperatorDefinition withWeights(Integer... inputs) {
    return with(facts.withWeights(Set.of(inputs)));
  }

  /** The same operator, of whose uses this rule tells types in part. */
  public OperatorDefinition partial(PartialRule rule) {
    return with(facts.withPartial(rule));
  }

  /** The same operator, whose gradient this rule builds. */
  public OperatorDefinition gradient(GradientRule rule) {
    return with(facts.withGradient(OperatorGradient.of(rule)));
  }

  /** The same operator, whose gradient is zero wherever it is defined, for a reason. */
  public OperatorDefinition zeroGradient(String reason) {
    return with(facts.withGradient(OperatorGradient.zero(reason)));
  }

  /** The same operator, which has no gradient, for a reason. */
  public OperatorDefinition noGradient(String reason) {
    return with(facts.withGradient(OperatorGradient.none(reason)));
  }

  /** The same operator, which is computed so on images with their channels last. */
  public OperatorDefinition channelsLast(ChannelsLastRule rule) {
    return with(facts.channelsLast(rule));
  }

  /** The same operator, which came with this operator set of ONNX. */
  public OperatorDefinition since(long opset) {
    return with(facts.onnx(new OnnxFacts(facts.onnx().domain(), opset, facts.onnx().types())));
  }

  /** The same operator, which is defined in this domain. */
  public OperatorDefinition ofDomain(String domain) {
    return with(facts.onnx(new OnnxFacts(domain, facts.onnx().opset(), facts.onnx().types())));
  }

  /** The same operator, of which these attributes number an element type in files. */
  public OperatorDefinition withTypes(String... attributes) {
    return with(facts.onnx(new OnnxFacts(facts.onnx().domain(), facts.onnx().opset(), List.of(attributes))));
  }

  /** The same operator, which has another name in TensorFlow. */
  public OperatorDefinition inTensorflow(String other) {
    return with(facts.tensorflow(other));
  }

  /** The same operator, without this trait. */
  public OperatorDefinition without(OperatorTrait trait) {
    return with(facts.without(trait));
  }

  /** Whether the operator computes each element of its result from one element of its only input. */
  public boolean isElementFunction() {
    return memory.elementwise() && maxInputs == 1;
  }

  /**
   * The types of one use's results.
   *
   * @throws dev.cairn.runtime.graph.InvalidGraph when the use breaks the operator's rules; it names the use
   */
  public List<TensorType> resultTypes(TypeContext context) {
    requireInputs(context);
    if (results != 0 && context.outputCount() != results) {
      throw context.fault("wrong number of results: operator=%s results=%d given=%d".formatted(name, results, context
        .outputCount()));
    }
    List<TensorType> types;
    try {
      types = typeRule.infer(context);
    } catch (ArithmeticException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw context.fault(e);
    }
    if (types.size() != context.outputCount()) {
      throw context.fault("wrong number of results: wanted=%d given=%d".formatted(context.outputCount(), types.size()));
    }
    return types;
  }

  private void requireInputs(TypeContext context) {
    int count = context.inputCount();
    boolean variadic = maxInputs == ANY_NUMBER;
    boolean complete = count <= maxInputs;
    for (int i = 0; i < (variadic ? Math.max(minInputs, count) : minInputs); i++) {
      complete &= context.has(i);
    }
    if (!complete) {
      List<Integer> missing = IntStream.range(0, minInputs).filter(i -> !context.has(i)).boxed().toList();
      throw context.fault("wrong number of inputs: operator=%s inputs=%d least=%d most=%s missing=%s".formatted(name,
        count, minInputs, variadic ? "any" : maxInputs, missing));
    }
  }
}
