package dev.cairn.kernels;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs kernels on given tensors, as an executor would. Every run also checks what holds for all kernels: outputs and
 * workspace hold junk beforehand, inputs are untouched afterwards. An input that is left out is {@code null}.
 *
 * <pre>
 *   try (var runner = new KernelRunner(ElementwiseKernels.ROWS, 1)) {
 *     TensorView sum = runner.run("Add", Attributes.NONE, TensorType.of(FLOAT32, 3), a, b);
 *   }
 *   KernelRunner.checkTwins(ElementwiseKernels.ROWS, "Add", Attributes.NONE, List.of(type), 1, a, b);
 * </pre>
 */
public final class KernelRunner implements AutoCloseable {
  /**
   * For {@link #checkTwins}, which would otherwise start threads for every call; never closed, as its threads are
   * daemons.
   */
  private static final CpuDevice ALONE = new CpuDevice(1);
  private static final CpuDevice TEAM = new CpuDevice(3);

  private final List<KernelRow> rows;
  private final CpuDevice device;

  /**
   * @param rows the kernels to choose from
   * @param threads how many threads a kernel may use
   */
  public KernelRunner(List<KernelRow> rows, int threads) {
    this(rows, new CpuDevice(threads));
  }

  private KernelRunner(List<KernelRow> rows, CpuDevice device) {
    this.rows = List.copyOf(rows);
    this.device = device;
  }

  /** The portable rows, with which the others are compared. */
  public static List<KernelRow> portable(List<KernelRow> rows) {
    return rows.stream().filter(row -> row.twin() == Twin.PORTABLE).toList();
  }

  /** Runs the preferred kernel of an operator with one output. */
  public TensorView run(String operator, Attributes attributes, TensorType output, @Nullable TensorView... inputs) {
    return runAll(operator, attributes, List.of(output), inputs).getFirst();
  }

  /** Runs the preferred kernel of an operator. */
  public List<TensorView> runAll(String operator, Attributes attributes, List<TensorType> outputs,
    @Nullable TensorView... inputs) {
    KernelSignature signature = signature(attributes, outputs, inputs);
    KernelRow row = new KernelCatalog(rows).find(operator, signature)
      .orElseThrow(() -> new AssertionError("no kernel: operator=%s signature=%s".formatted(operator, signature)));
    return runRow(row, attributes, outputs, inputs);
  }

  /** Runs this row's kernel, whichever the catalog would have preferred. */
  public List<TensorView> runRow(KernelRow row, Attributes attributes, List<TensorType> outputs,
    @Nullable TensorView... inputs) {
    List<TensorView> results = outputs.stream().map(TestTensors::junk).toList();
    List<Optional<TensorView>> before = Arrays.stream(inputs)
      .map(view -> Optional.ofNullable(view).map(TestTensors::copy)).toList();
    runInto(row, attributes, results, inputs);
    for (int i = 0; i < inputs.length; i++) {
      TensorView input = inputs[i];
      if (input != null && before.get(i).orElseThrow().segment().mismatch(input.segment()) != -1) {
        throw new AssertionError("%s %s changed its input: index=%d".formatted(row.twin(), row.operator(), i));
      }
    }
    return results;
  }

  /** Runs this row's kernel into tensors that are there already; an output may lie over an input. */
  public void runInto(KernelRow row, Attributes attributes, List<TensorView> outputs, @Nullable TensorView... inputs) {
    KernelSignature signature = signature(attributes, outputs.stream().map(TensorView::type).toList(), inputs);
    try (var arena = Arena.ofShared()) {
      MemorySegment workspace = arena.allocate(row.kernel().workspaceBytes(signature), 64);
      workspace.fill((byte) 0xA5);
      TensorView[] results = outputs.toArray(TensorView[]::new);
      row.kernel().run(new KernelCall(inputs, results, attributes, workspace, device.defaultStream()));
      device.defaultStream().synchronize();
    }
  }

  /** The rows of an operator that serve such a call, the portable one among them or an error. */
  public List<KernelRow> serving(String operator, KernelSignature signature) {
    List<KernelRow> serving = new ArrayList<>();
    for (KernelRow row : new KernelCatalog(rows).rows(operator)) {
      if (new KernelCatalog(List.of(row)).find(operator, signature).isPresent()) {
        serving.add(row);
      }
    }
    if (portable(serving).size() != 1) {
      throw new AssertionError(
        "one portable kernel: operator=%s signature=%s rows=%s".formatted(operator, signature, serving));
    }
    return serving;
  }

  /**
   * Runs every kernel of these rows that serves the call, on one thread and on three, and fails unless each gives the
   * same bits on both and all agree with the portable one within {@link Tolerance#of}.
   *
   * @param length terms that make one element, as {@link Tolerance#of} takes it
   * @return the portable kernel's outputs
   */
  public static List<TensorView> checkTwins(List<KernelRow> rows, String operator, Attributes attributes,
    List<TensorType> outputs, long length, @Nullable TensorView... inputs) {
    var alone = new KernelRunner(rows, ALONE);
    var team = new KernelRunner(rows, TEAM);
    List<KernelRow> serving = alone.serving(operator, signature(attributes, outputs, inputs));
    KernelRow portable = portable(serving).getFirst();
    List<TensorView> truth = alone.runRow(portable, attributes, outputs, inputs);
    for (KernelRow row : serving) {
      String what = row.twin() + " " + operator + attributes;
      List<TensorView> one = row.equals(portable) ? truth : alone.runRow(row, attributes, outputs, inputs);
      List<TensorView> three = team.runRow(row, attributes, outputs, inputs);
      for (int i = 0; i < truth.size(); i++) {
        Tolerance.of(truth.get(i).dtype(), length).check(what, truth.get(i), one.get(i));
        checkNumbers(what + " on 1 and 3 threads", one.get(i), three.get(i));
      }
    }
    return truth;
  }

  /** Fails unless both hold the same bits. */
  public static void checkBits(String what, TensorView expected, TensorView actual) {
    long at = expected.segment().mismatch(actual.segment());
    if (at != -1 || !expected.type().equals(actual.type())) {
      throw new AssertionError("%s: bits differ: byte=%d expected=%s actual=%s".formatted(what, at, expected, actual));
    }
  }

  /** Fails unless both hold the same bits, or NaN of any sign and payload in the same places. */
  public static void checkNumbers(String what, TensorView expected, TensorView actual) {
    if (!expected.dtype().isFloat() || !expected.type().equals(actual.type())) {
      checkBits(what, expected, actual);
      return;
    }
    if (expected.segment().mismatch(actual.segment()) == -1) {
      return;
    }
    long bytes = expected.dtype().bytes();
    for (long i = 0; i < expected.elementCount(); i++) {
      boolean differs = MemorySegment.mismatch(expected.segment(), i * bytes, (i + 1) * bytes, actual.segment(), i
        * bytes, (i + 1) * bytes) != -1;
      if (differs && !(Double.isNaN(expected.doubleAt(i)) && Double.isNaN(actual.doubleAt(i)))) {
        throw new AssertionError("%s: bits differ: element=%d expected=%s actual=%s".formatted(what, i, expected
          .doubleAt(i), actual.doubleAt(i)));
      }
    }
  }

  /** The signature of a call on these tensors. */
  public static KernelSignature signature(Attributes attributes, List<TensorType> outputs,
    @Nullable TensorView... inputs) {
    List<Optional<TensorType>> types = Arrays.stream(inputs)
      .map(view -> Optional.ofNullable(view).map(TensorView::type)).toList();
    return new KernelSignature(types, outputs, attributes);
  }

  @Override
  public void close() {
    device.close();
  }
}
