package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A kernel whose calls are programs of oneDNN. It serves a call when oneDNN has an implementation that is not its
 * reference code. Operands lie as they always do; a tensor that a primitive wants in another layout is reordered in the
 * workspace, or packed where it is a constant of a plan.
 */
abstract class OneDnnKernel implements Kernel {
  private static final int MOST_FACTS = 1024;
  /** One thread does this much work in the time that several threads need to meet. */
  private static final double SHORT_TERMS = 1 << 18;
  /** The work for one element of a function such as {@code Softmax}, in terms. */
  private static final double TERMS_OF_FUNCTION = 16;

  private final OneDnnEngine engine;
  private final OneDnnEngine engineOfShort;
  private final Map<Question, Facts> known = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Question, Facts> eldest) {
      return size() > MOST_FACTS;
    }
  };

  private record Question(KernelSignature signature, Set<Integer> constants) {
    // Written out: a record's own methods are slow until the JVM has compiled them, and opening a model asks often.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Question that && signature.equals(that.signature) && constants.equals(that.constants);
    }

    @Override
    public int hashCode() {
      return 31 * signature.hashCode() + constants.hashCode();
    }
  }

  /** The facts of a program that need no handles. */
  private record Facts(boolean isServed, long workspaceBytes, Map<Integer, PackedLayout> packed,
    Set<Integer> scalars) {
    static final Facts NOT_SERVED = new Facts(false, 0, Map.of(), Set.of());
  }

  OneDnnKernel(OneDnnEngine engine) {
    this.engine = engine;
    this.engineOfShort = engine.onOneThread();
  }

  /** The engine for such calls: short ones run on their caller alone. */
  private OneDnnEngine engine(KernelSignature signature) {
    return terms(signature) < SHORT_TERMS ? engineOfShort : engine;
  }

  /** About how often numbers are multiplied. */
  double terms(KernelSignature signature) {
    double left = signature.input(0).shape().elementCount();
    double result = signature.output(0).shape().elementCount();
    // For a product of matrices this number is exact.
    return signature.has(1)
      ? Math.sqrt(left * signature.input(1).shape().elementCount() * result)
      : TERMS_OF_FUNCTION * left;
  }

  /** Whether a call is one that {@link #describe} can describe, and for which oneDNN is worth its cost. */
  abstract boolean fits(KernelSignature signature);

  /** The signature without names that oneDNN does not read, so that it is asked once about equal calls. */
  KernelSignature essence(KernelSignature signature) {
    return signature;
  }

  /** Adds the primitives of such a call. */
  abstract void describe(KernelSignature signature, ProgramBuilder program);

  @Override
  public boolean accepts(KernelSignature signature) {
    return fits(signature) && facts(signature, Set.of()).isServed();
  }

  @Override
  public boolean servesSmallerCalls() {
    return false;
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return facts(signature, Set.of()).workspaceBytes();
  }

  @Override
  public void run(KernelCall call) {
    try (Prepared once = prepared(new Question(KernelSignature.of(call), Set.of()), call)) {
      once.run();
    }
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    // With packed constants there may be no implementation, or only oneDNN's reference code.
    var question = new Question(signature, facts(signature, constants).isServed() ? constants : Set.of());
    Map<Integer, Packing> packings = new HashMap<>();
    facts(signature, question.constants()).packed()
      .forEach((input, layout) -> packings.put(input, layout.packing(engine)));
    return new PlannedKernel(new Planned(this, question), packings);
  }

  /** This kernel for the calls of one step. */
  private record Planned(OneDnnKernel kernel, Question question) implements Kernel {
    @Override
    public void run(KernelCall call) {
      try (Prepared once = prepare(call)) {
        once.run();
      }
    }

    @Override
    public Prepared prepare(KernelCall call) {
      return kernel.prepared(question, call);
    }

    @Override
    public boolean isRebindable() {
      return true;
    }

    @Override
    public long workspaceBytes(KernelSignature signature) {
      return kernel.facts(question.signature(), question.constants()).workspaceBytes();
    }

    @Override
    public boolean servesSmallerCalls() {
      return false;
    }
  }

  /** Ready to run: made again whenever a number that a primitive takes from an input changes. */
  private Prepared prepared(Question question, KernelCall call) {
    Set<Integer> scalars = facts(question.signature(), question.constants()).scalars();
    Prepared program = scalars.isEmpty()
      ? made(question, call, _ -> 0)
      : new WithScalars(scalars, call, values -> made(question, call, values));
    return completed(call, program);
  }

  /** The program, and what is to be done after each of its runs. */
  Prepared completed(KernelCall call, Prepared program) {
    return program;
  }

  private PreparedProgram made(Question question, KernelCall call, ToDoubleFunction<Integer> scalars) {
    var scope = new NativeScope(engine.calls());
    Program program;
    try {
      program = program(question, scope, scalars);
    } catch (RuntimeException | Error e) {
      scope.close();
      throw e;
    }
    return new PreparedProgram(engine(question.signature()), scope, program, call);
  }

  private Program program(Question question, NativeScope scope, ToDoubleFunction<Integer> scalars) {
    OneDnnEngine of = engine(question.signature());
    var layouts = new Layouts(scope.with(of.calls()), question.signature().input(0).dtype());
    var builder = new ProgramBuilder(layouts, of, question.constants(), scalars);
    describe(question.signature(), builder);
    return builder.build();
  }

  private synchronized Facts facts(KernelSignature signature, Set<Integer> constants) {
    var question = new Question(essence(signature), constants);
    Facts before = known.get(question);
    if (before == null) {
      before = foundOut(question);
      known.put(question, before);
    }
    return before;
  }

  private Facts foundOut(Question question) {
    try (var scope = new NativeScope(engine.calls())) {
      Program program = program(question, scope, _ -> 0);
      Map<Integer, PackedLayout> packed = new HashMap<>();
      program.packed().forEach((input, layout) -> packed.put(input, PackedLayout.of(scope, layout.from(), layout
        .to())));
      return new Facts(!program.isReference(), program.workspaceBytes(), Map.copyOf(packed), program.scalars());
    } catch (OneDnnFailure e) {
      if (e.isUnimplemented()) {
        return Facts.NOT_SERVED;
      }
      throw e;
    }
  }

  /** Whether the first inputs and the result have elements, all of the type of input 0. */
  static boolean areAlike(KernelSignature signature, int inputs) {
    DType dtype = signature.input(0).dtype();
    for (int input = 0; input < inputs; input++) {
      if (signature.has(input) && !hasElements(signature.input(input), dtype)) {
        return false;
      }
    }
    return hasElements(signature.output(0), dtype);
  }

  private static boolean hasElements(TensorType type, DType dtype) {
    return type.dtype() == dtype && type.shape().elementCount() > 0;
  }
}
