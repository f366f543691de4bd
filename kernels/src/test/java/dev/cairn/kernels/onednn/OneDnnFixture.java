package dev.cairn.kernels.onednn;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelProvider;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** oneDNN with its calls counted, and the portable kernels to compare it with. */
final class OneDnnFixture implements AutoCloseable {
  private final CpuDevice device = new CpuDevice(1);
  private final KernelRunner portable = new KernelRunner(StandardKernels.portableRows(), 1);
  private final Random random = new Random(11);
  private final OneDnn counted;
  final CountedCalls calls;
  final OneDnnProvider one;
  private final OneDnnProvider two;
  private DType dtype = DType.FLOAT32;

  OneDnnFixture() {
    OneDnn library = library();
    calls = new CountedCalls(library.calls());
    counted = new OneDnn(calls, library.version(), library.instructions());
    one = provider(1);
    two = provider(2);
  }

  /** Another one, for so many threads. */
  OneDnnProvider provider(int threads) {
    try {
      return OneDnnProvider.open(counted, threads, true);
    } catch (KernelProvider.Unavailable e) {
      throw new AssertionError("the library is there", e);
    }
  }

  /** Another one, for one thread. */
  OneDnnProvider provider() {
    return provider(1);
  }

  /** The library, without which a test is skipped. */
  static OneDnn library() {
    try {
      return OneDnn.load(Optional.empty(), Optional.of(Path.of(System.getProperty("java.io.tmpdir"),
        "cairn-tests-" + System.getProperty("user.name"), "natives")), _ -> {});
    } catch (KernelProvider.Unavailable e) {
      return abort("no oneDNN: " + e.getMessage());
    }
  }

  /** Computes in another type from now on; a test is skipped where oneDNN does not. */
  void computeIn(DType wanted) {
    assumeTrue(wanted != DType.BFLOAT16 || counted.hasBfloat16(), "the processor does not multiply bfloat16");
    dtype = wanted;
  }

  TensorType type(long... extents) {
    return TensorType.of(dtype, extents);
  }

  TensorView random(long... extents) {
    return TestTensors.random(dtype, Shape.of(extents), random);
  }

  /**
   * Compares one call with the portable kernel: on one thread and on two, as it is and with constants packed.
   *
   * @param length terms that make one element
   * @return whether oneDNN serves the call
   */
  boolean check(String operator, Attributes attributes, TensorType output, long length,
    @Nullable TensorView... inputs) {
    KernelSignature signature = KernelRunner.signature(attributes, List.of(output), inputs);
    Optional<KernelRow> row = new KernelCatalog(one.rows()).find(operator, signature);
    if (row.isEmpty()) {
      return false;
    }
    TensorView truth = truth(operator, attributes, output, inputs);
    Tolerance tolerance = tolerance(length);
    String what = operator + attributes + signature;
    for (OneDnnProvider provider : List.of(one, two)) {
      KernelRow its = new KernelCatalog(provider.rows()).find(operator, signature).orElseThrow();
      tolerance.check(what, truth, portable.runRow(its, attributes, List.of(output), inputs).getFirst());
      tolerance.check(what + " packed", truth, packed(its, signature, inputs));
    }
    return true;
  }

  /**
   * Like {@link #check}, of the operator on images with their channels last; all that is given is plain.
   *
   * @param inputs of which those with four axes are images, but for the second one
   */
  boolean checkChannelsLast(String operator, Attributes attributes, TensorType output, long length,
    @Nullable TensorView... inputs) {
    @Nullable
    TensorView[] last = inputs.clone();
    for (int i = 0; i < last.length; i++) {
      TensorView input = inputs[i];
      last[i] = input != null && i != 1 && input.shape().rank() == ChannelsLast.RANK
        ? transposed(input, ChannelsLast.of(input.shape()), ChannelsLast.fromPlain())
        : input;
    }
    boolean fused = operator.equals(FusedProduct.OPERATOR);
    String onLast = fused ? operator : ChannelsLast.operator(operator);
    Attributes all = fused ? onChannelsLast(attributes) : attributes;
    TensorType made = output.withShape(ChannelsLast.of(output.shape()));
    KernelSignature signature = KernelRunner.signature(all, List.of(made), last);
    if (new KernelCatalog(one.rows()).find(onLast, signature).isEmpty()) {
      return false;
    }
    TensorView truth = truth(operator, attributes, output, inputs);
    Tolerance tolerance = tolerance(length);
    for (OneDnnProvider provider : List.of(one, two)) {
      KernelRow its = new KernelCatalog(provider.rows()).find(onLast, signature).orElseThrow();
      for (TensorView result : List.of(portable.runRow(its, all, List.of(made), last).getFirst(), packed(its, signature,
        last))) {
        tolerance.check(onLast + attributes + signature, truth, transposed(result, output.shape(), ChannelsLast
          .toPlain()));
      }
    }
    return true;
  }

  /** Terms are products of two numbers up to 4. A result of 16 bits may be rounded to the number next to the truth. */
  private Tolerance tolerance(long length) {
    Tolerance sums = Tolerance.of(DType.FLOAT32, length).times(16);
    return dtype == DType.FLOAT32 ? sums : new Tolerance(sums.relative() + 0x1p-7);
  }

  /** What portable kernels compute in {@code float32}, rounded once. */
  private TensorView truth(String operator, Attributes attributes, TensorType output, @Nullable TensorView... inputs) {
    @Nullable
    TensorView[] wide = inputs.clone();
    for (int i = 0; i < wide.length; i++) {
      TensorView input = inputs[i];
      wide[i] = input == null ? null : cast(input, DType.FLOAT32);
    }
    return cast(portable.run(operator, operator.equals(FusedProduct.OPERATOR) ? inFloat32(attributes) : attributes,
      output.withDType(DType.FLOAT32), wide), dtype);
  }

  private TensorView cast(TensorView from, DType to) {
    return from.dtype() == to ? from : portable.run("Cast", Attributes.NONE, from.type().withDType(to), from);
  }

  private static Attributes inFloat32(Attributes fused) {
    FusedProduct of = FusedProduct.of(fused);
    List<PointwiseProgram.Step> steps = of.program().steps().stream().map(it -> new PointwiseProgram.Step(it.operator(),
      it.attributes(), DType.FLOAT32, it.operands())).toList();
    return new FusedProduct(of.operator(), of.attributes(), new PointwiseProgram(steps, of.program().results())).all();
  }

  private static Attributes onChannelsLast(Attributes fused) {
    FusedProduct plain = FusedProduct.of(fused);
    return new FusedProduct(ChannelsLast.operator(plain.operator()), plain.attributes(), plain.program()).all();
  }

  private TensorView transposed(TensorView image, Shape shape, AttributeValue.Ints order) {
    return portable.run("Transpose", Attributes.NONE.with("perm", order), image.type().withShape(shape), image);
  }

  /** The result of a kernel that runs twice, as a step of a plan whose inputs, except the first, are constants. */
  TensorView packed(KernelRow row, KernelSignature signature, @Nullable TensorView... inputs) {
    return planned(row.kernel().planned(signature, Set.of(1, 2)), signature, inputs);
  }

  /** The result of a planned step, which is run twice. */
  TensorView planned(PlannedKernel planned, KernelSignature signature, @Nullable TensorView... inputs) {
    try (var arena = Arena.ofShared()) {
      @Nullable
      TensorView[] operands = inputs.clone();
      planned.packed().forEach((input, packing) -> operands[input] = pack(packing, operands[input], arena));
      TensorView result = TestTensors.junk(signature.output(0));
      TensorView first = TestTensors.junk(signature.output(0));
      MemorySegment workspace = arena.allocate(planned.kernel().workspaceBytes(signature), 64);
      workspace.fill((byte) 0xA5);
      var call = new KernelCall(operands, new TensorView[] {null}, signature.attributes(), workspace, device
        .defaultStream());
      Runnable ready = planned.kernel().prepare(call);
      try (AutoCloseable _ = ready instanceof AutoCloseable owner ? owner : () -> {}) {
        call.bindOutput(0, first);
        ready.run();
        call.bindOutput(0, result);
        ready.run();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      KernelRunner.checkBits("two runs", first, result);
      return result;
    }
  }

  private TensorView pack(PlannedKernel.Packing packing, @Nullable TensorView plain, Arena arena) {
    if (plain == null) {
      throw new AssertionError("an input that is left out is packed");
    }
    var target = new TensorView(packing.type(), arena.allocate(packing.type().bytes(), 64));
    var signature = KernelSignature.of(List.of(plain.type()), List.of(packing.type()), Attributes.NONE);
    MemorySegment workspace = arena.allocate(packing.kernel().workspaceBytes(signature), 64);
    packing.kernel().run(new KernelCall(new TensorView[] {plain}, new TensorView[] {target}, Attributes.NONE, workspace,
      device.defaultStream()));
    return target;
  }

  @Override
  public void close() {
    one.close();
    two.close();
    portable.close();
    device.close();
  }
}
