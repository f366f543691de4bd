package dev.cairn.runtime.custom;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.movement.CpuIdentity;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.movement.CudaIdentity;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Operators of users, for the options of a session or of arrays. Immutable; there is no global registry.
 *
 * <pre>{@code
 * SessionOptions options = SessionOptions.DEFAULT.withOperators(OperatorRegistry.of(square));
 * }</pre>
 */
public final class OperatorRegistry {
  /** Cairn's own operators alone. */
  public static final OperatorRegistry STANDARD = new OperatorRegistry(List.of(), false);

  private static final Set<DType> ALL_TYPES = EnumSet.allOf(DType.class);

  private final List<CustomOperator> operators;
  private final boolean isChecked;
  private final OperatorTable table;
  private final Map<String, CompositeOperator> composites = new HashMap<>();

  private OperatorRegistry(List<CustomOperator> operators, boolean isChecked) {
    this.operators = List.copyOf(operators);
    this.isChecked = isChecked;
    OperatorTable all = StandardOperators.table();
    for (CustomOperator operator : operators) {
      all = all.with(CustomRows.row(operator));
      if (operator instanceof CompositeOperator composite) {
        composites.put(composite.name(), composite);
      }
    }
    this.table = all;
  }

  /**
   * Cairn's operators and these.
   *
   * @throws IllegalArgumentException when two of them have one name
   */
  public static OperatorRegistry of(CustomOperator... operators) {
    return STANDARD.with(List.of(operators));
  }

  /**
   * These operators and more.
   *
   * @throws IllegalArgumentException when a name is taken
   */
  public OperatorRegistry with(List<? extends CustomOperator> more) {
    List<CustomOperator> all = new ArrayList<>(operators);
    all.addAll(more);
    return new OperatorRegistry(all, isChecked);
  }

  /**
   * The same operators; each call of a kernel on the processor runs several times and tests what the operator promises:
   * that the kernel writes every element of its results, that it is pure, and that results may lie over inputs as its
   * memory traits say. For tests: a call takes several times as long, and memory outside of all limits.
   */
  public OperatorRegistry checked() {
    return new OperatorRegistry(operators, true);
  }

  /** The operators of users, in the order in which they were added. */
  public List<CustomOperator> operators() {
    return operators;
  }

  /** The rows of all operators, Cairn's own included. */
  public OperatorTable table() {
    return table;
  }

  /** The composite operator of this name. */
  public Optional<CompositeOperator> composite(String name) {
    return Optional.ofNullable(composites.get(name));
  }

  /**
   * The graph with other operators in the place of composite ones.
   *
   * @throws dev.cairn.runtime.graph.InvalidGraph when a use does not fit its operator; it names the node
   */
  public Graph inlined(Graph graph) {
    return new CompositeInlining(composites).of(graph);
  }

  /** A device's kernels with those of users for the processor. */
  public KernelCatalog onHost(KernelCatalog standard) {
    List<KernelRow> rows = new ArrayList<>();
    for (CustomOperator operator : operators) {
      if (operator instanceof KernelOperator kernels) {
        Optional<Kernel> kernel = kernels.memory().alias() ? Optional.of(CpuIdentity::identity) : host(kernels);
        kernel.ifPresent(it -> rows.add(row(operator, KernelRow.Twin.PORTABLE, it)));
      }
    }
    return rows.isEmpty() ? standard : standard.with(rows);
  }

  /** A GPU's kernels with those of users: in CUDA C, or else in Java on the host. */
  public KernelCatalog onCuda(KernelCatalog standard, KernelLibrary library) {
    List<KernelRow> rows = new ArrayList<>();
    for (CustomOperator operator : operators) {
      if (operator instanceof KernelOperator kernels) {
        device(kernels, library).ifPresent(it -> rows.add(row(operator, KernelRow.Twin.CUDA, it)));
      }
    }
    return rows.isEmpty() ? standard : standard.with(rows);
  }

  private Optional<Kernel> device(KernelOperator operator, KernelLibrary library) {
    if (operator.memory().alias()) {
      return Optional.of(new CudaIdentity(library, false));
    }
    return operator.cuda().<Kernel>map(source -> new CustomCudaKernel(library, operator.name(), source)).or(() -> host(
      operator).map(it -> new HostKernelOnCuda(library.device(), operator.name(), it)));
  }

  private Optional<Kernel> host(KernelOperator operator) {
    return operator.kernel().map(it -> {
      var kernel = new CustomKernel(operator, it);
      return isChecked ? new CheckedKernel(operator, kernel) : kernel;
    });
  }

  private static KernelRow row(CustomOperator operator, KernelRow.Twin twin, Kernel kernel) {
    return new KernelRow(operator.name(), twin, KernelRow.Decides.FIRST_OUTPUT, ALL_TYPES, kernel);
  }
}
