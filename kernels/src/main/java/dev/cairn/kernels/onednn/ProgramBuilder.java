package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.onednn.Stage.Argument;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Describes a kernel's work for one call, primitive by primitive. The workspace holds the tensors in other layouts than
 * the call's, and one scratchpad, which all primitives use one after the other.
 */
final class ProgramBuilder {
  private static final long ALIGNMENT = 64;
  private static final int IMPLEMENTATION = 8;
  private static final int SOURCE_LAYOUT = 129;
  private static final int WEIGHTS_LAYOUT = 131;
  private static final int RESULT_LAYOUT = 133;
  private static final int WEIGHT_GRADIENT_LAYOUT = 132;
  private static final int RESULT_GRADIENT_LAYOUT = 134;
  private static final int SCRATCHPAD_LAYOUT = 136;
  private static final int USER = 1;
  private static final int LONGEST_NAME = 256;
  private static final int CLIP = 0x2e;
  private static final int OWN_BIAS = 2;

  private final NativeScope scope;
  private final OneDnnEngine engine;
  private final Set<Integer> constants;
  private final Layouts layouts;
  private final List<Stage> stages = new ArrayList<>();
  private final List<String> implementations = new ArrayList<>();
  private final Map<Integer, Program.Packed> packed = new TreeMap<>();
  private final ToDoubleFunction<Integer> scalars;
  private final Set<Integer> scalarsRead = new TreeSet<>();
  private PostOperations epilogue = PostOperations.NONE;
  private long reserved;
  private long scratchpad;

  /**
   * @param layouts of the call's element type
   * @param constants inputs that may be stored in another layout, once for all runs
   * @param scalars the value of an input of one element, for a primitive that has it as a number of its own
   */
  ProgramBuilder(Layouts layouts, OneDnnEngine engine, Set<Integer> constants, ToDoubleFunction<Integer> scalars) {
    this.scope = layouts.scope();
    this.engine = engine;
    this.constants = constants;
    this.scalars = scalars;
    this.layouts = layouts;
  }

  Layouts layouts() {
    return layouts;
  }

  /** Whether an input may be packed. */
  boolean isConstant(int input) {
    return constants.contains(input);
  }

  NativeScope scope() {
    return scope;
  }

  long engine() {
    return engine.handle();
  }

  /** Attributes of a primitive: its scratchpad is the caller's. */
  long attributes() {
    long made = scope.createNew("primitive_attr");
    scope.calls().call("dnnl_primitive_attr_set_scratchpad_mode", made, USER);
    return made;
  }

  /** The operations of the product on each element of its result. */
  void followWith(PostOperations wanted) {
    this.epilogue = wanted;
  }

  /** Whether a product has a bias, its own or one that follows it. */
  boolean hasBias(KernelSignature product) {
    return product.has(OWN_BIAS) || epilogue.bias().isPresent();
  }

  /** Attributes of a product: those of each primitive, and the epilogue. */
  long productAttributes() {
    long made = attributes();
    if (!epilogue.operations().isEmpty()) {
      long operations = scope.createNew("post_ops");
      epilogue.operations().forEach(it -> append(operations, it));
      scope.calls().call("dnnl_primitive_attr_set_post_ops", made, operations);
    }
    return made;
  }

  private void append(long operations, PostOperations.Operation operation) {
    switch (operation) {
      case PostOperations.Function(int algorithm, float alpha, float beta) ->
        scope.calls().call("dnnl_post_ops_append_eltwise", operations, algorithm, alpha, beta);
      case PostOperations.Bounds(OptionalInt least, OptionalInt most) -> {
        float high = scalar(most, Float.POSITIVE_INFINITY);
        // If the lower bound is above the upper one, the result is the upper one.
        float low = Math.min(scalar(least, Float.NEGATIVE_INFINITY), high);
        scope.calls().call("dnnl_post_ops_append_eltwise", operations, CLIP, low, high);
      }
      case PostOperations.Residual residual -> scope.calls().call("dnnl_post_ops_append_sum", operations, 1f, 0, 0);
    }
  }

  private float scalar(OptionalInt input, float absent) {
    if (input.isEmpty()) {
      return absent;
    }
    scalarsRead.add(input.getAsInt());
    return (float) scalars.applyAsDouble(input.getAsInt());
  }

  /** The layout of the weights that a primitive has chosen. */
  long weightsLayout(long descriptor) {
    return settled(descriptor, WEIGHTS_LAYOUT);
  }

  /** The layout that a primitive has chosen for an argument. */
  private long settled(long descriptor, int query) {
    return scope.calls().number("dnnl_primitive_desc_query_md", descriptor, query, 0);
  }

  /** The name of the implementation that serves a primitive. */
  private String implementation(long descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(JAVA_LONG);
      scope.calls().call("dnnl_primitive_desc_query", descriptor, IMPLEMENTATION, 0, answer.address());
      return MemorySegment.ofAddress(answer.get(JAVA_LONG, 0)).reinterpret(LONGEST_NAME).getString(0);
    }
  }

  /** An input in the layout that a primitive wants: as it is, packed once for all runs, or reordered in each run. */
  private Argument input(int number, int index, long plain, long wanted) {
    if (layouts.areEqual(plain, wanted)) {
      return new Argument(number, wanted, new OperandPlace.Input(index));
    }
    if (constants.contains(index)) {
      packed.put(index, new Program.Packed(plain, wanted));
      return new Argument(number, wanted, new OperandPlace.Input(index));
    }
    OperandPlace room = reserve(wanted);
    reorder(plain, new OperandPlace.Input(index), new Argument(Stage.RESULT, wanted, room));
    return new Argument(number, wanted, room);
  }

  /** Where a primitive writes an output; {@link #finish} is to be called when it was added. */
  private Argument output(int number, int index, long plain, long wanted) {
    return new Argument(number, wanted, layouts.areEqual(plain, wanted)
      ? new OperandPlace.Output(index)
      : reserve(wanted));
  }

  /** Brings an output to its own layout, where it was written in another. */
  private void finish(int index, long plain, Argument written) {
    if (written.place() instanceof OperandPlace.Workspace room) {
      reorder(written.layout(), room, new Argument(Stage.RESULT, plain, new OperandPlace.Output(index)));
    }
  }

  /** Adds a copy to another layout. */
  void reorder(long from, OperandPlace source, Argument target) {
    long descriptor = scope.create("primitive_desc", "dnnl_reorder_primitive_desc_create", from, engine(), target
      .layout(), engine(), attributes());
    add(descriptor, List.of(new Argument(Stage.SOURCE, from, source), target));
  }

  private OperandPlace.Workspace reserve(long layout) {
    return reserveBytes(layouts.bytes(layout));
  }

  /** Room in the workspace. */
  OperandPlace.Workspace reserveBytes(long bytes) {
    var place = new OperandPlace.Workspace(reserved);
    reserved = aligned(reserved + bytes);
    return place;
  }

  /** Rounds up to where the next tensor may begin. */
  static long aligned(long bytes) {
    return -Math.floorDiv(-bytes, ALIGNMENT) * ALIGNMENT;
  }

  /** Adds a primitive, and its scratchpad. */
  void add(long descriptor, List<Argument> arguments) {
    implementations.add(implementation(descriptor));
    long layout = settled(descriptor, SCRATCHPAD_LAYOUT);
    scratchpad = Math.max(scratchpad, layouts.bytes(layout));
    List<Argument> all = new ArrayList<>(arguments);
    all.add(new Argument(Stage.SCRATCHPAD, layout, new OperandPlace.Scratchpad()));
    stages.add(new Stage(descriptor, all));
  }

  /** Adds a primitive that makes output 0 of input 0. */
  void addSimple(long descriptor, long x, long y) {
    add(descriptor, List.of(new Argument(Stage.SOURCE, x, new OperandPlace.Input(0)), new Argument(Stage.RESULT, y,
      new OperandPlace.Output(0))));
  }

  /**
   * Adds a convolution or a product of matrices: of input 0 and the weights, input 1, into output 0.
   *
   * @param x the layout of the input, as are the others
   * @param bias of input 2; 0 without one
   */
  void addProduct(long descriptor, long x, long weights, long bias, long y) {
    List<Argument> arguments = new ArrayList<>();
    arguments.add(input(Stage.SOURCE, 0, x, settled(descriptor, SOURCE_LAYOUT)));
    arguments.add(input(Stage.WEIGHTS, 1, weights, settled(descriptor, WEIGHTS_LAYOUT)));
    if (bias != 0) {
      arguments.add(input(Stage.BIAS, epilogue.bias().orElse(OWN_BIAS), bias, bias));
    }
    Argument result = output(Stage.RESULT, 0, y, settled(descriptor, RESULT_LAYOUT));
    arguments.add(result);
    epilogue.residual().ifPresent(input -> addResidual(input, y, result));
    add(descriptor, arguments);
    finish(0, y, result);
  }

  /**
   * Adds the gradient of a convolution's weights: of input 0 and the result's gradient, input 1, into output 0.
   *
   * @param x the layout of the input, as are the others
   */
  void addWeightGradient(long descriptor, long x, long h, long weights) {
    List<Argument> arguments = new ArrayList<>();
    arguments.add(input(Stage.SOURCE, 0, x, settled(descriptor, SOURCE_LAYOUT)));
    arguments.add(input(Stage.RESULT_GRADIENT, 1, h, settled(descriptor, RESULT_GRADIENT_LAYOUT)));
    Argument result = output(Stage.WEIGHT_GRADIENT, 0, weights, settled(descriptor, WEIGHT_GRADIENT_LAYOUT));
    arguments.add(result);
    add(descriptor, arguments);
    finish(0, weights, result);
  }

  /** Copies the addend to the place of the result, unless the result lies over it. */
  private void addResidual(int input, long plain, Argument result) {
    reorder(plain, new OperandPlace.Input(input), result);
    Stage copy = stages.removeLast();
    stages.add(result.place() instanceof OperandPlace.Output
      ? new Stage(copy.descriptor(), copy.arguments(), true)
      : copy);
  }

  /** The program, which is as long there as the scope. */
  Program build() {
    List<Stage> placed = stages.stream().map(stage -> new Stage(stage.descriptor(), stage.arguments().stream().map(
      it -> it.place() instanceof OperandPlace.Scratchpad
        ? new Argument(it.number(), it.layout(), new OperandPlace.Workspace(reserved))
        : it)
      .toList(), stage.isSkippedInPlace())).toList();
    return new Program(placed, reserved + scratchpad, packed, implementations, scalarsRead);
  }
}
