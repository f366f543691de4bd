package dev.cairn.gpu.kernel;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.compile.PrecompiledKernels;
import dev.cairn.kernels.cuda.convolution.ChosenKernels;
import dev.cairn.kernels.cuda.convolution.ConvolutionChoice;
import dev.cairn.kernels.cuda.convolution.KernelTimer;
import dev.cairn.kernels.cuda.convolution.MeasuredConvolution;
import dev.cairn.kernels.cuda.dnn.CudnnOnDemand;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.KernelVariants;
import dev.cairn.kernels.row.CudaKernels;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Runs a kernel of CUDA and its portable twin on the same tensors and compares. Outputs and workspace hold junk
 * beforehand, inputs must be untouched afterwards, and a second run of what was prepared gives the same bits.
 *
 * <pre>
 *   try (var twins = CudaTwins.open()) {
 *     twins.check("Add", Attributes.NONE, TensorType.of(FLOAT32, 3), 1, a, b);
 *   }
 * </pre>
 */
public final class CudaTwins implements AutoCloseable {
  /** The type with which every build checks a kernel. A mistake in a source shows in the first type that runs it. */
  static final List<DType> FIRST = List.of(DType.FLOAT32);

  private final CudaDevice device = CudaDevice.open(CudaUnderTest.driver(), 0);
  private final CudaStream stream = device.defaultStream();
  private final Optional<Cublas> cublas;
  private final Optional<CudnnOnDemand> cudnn;
  private final KernelLibrary library;
  private final KernelCatalog cuda;
  private final KernelRunner portable = new KernelRunner(StandardKernels.portableRows(), 1);

  private CudaTwins(boolean withCublas, GemmPrecision ofFloats) {
    this.library = new KernelLibrary(device, CudaUnderTest.compiler(), ofFloats);
    this.cublas = withCublas ? Optional.of(Cublas.open(CudaUnderTest.loaded(), device)) : Optional.empty();
    this.cudnn = Optional.empty();
    this.cuda = cublas.map(it -> CudaKernels.catalog(library, it)).orElseGet(() -> CudaKernels.catalog(library));
  }

  /** The other types, for tests with the tag {@code long}: a source is compiled for each type. */
  static List<DType> others(Collection<DType> dtypes) {
    return dtypes.stream().filter(it -> !FIRST.contains(it)).toList();
  }

  /** Twins on a device of their own; the test is skipped where there is no CUDA. */
  public static CudaTwins open() {
    return new CudaTwins(false, GemmPrecision.FLOAT32);
  }

  /** The same where products read 10 bits of the fraction of {@code float32}. */
  public static CudaTwins openWithTensorFloats() {
    return new CudaTwins(false, GemmPrecision.TENSOR_FLOAT32);
  }

  /** The same where cuBLAS serves what it can; the test is skipped where it is missing. */
  public static CudaTwins openWithCublas() {
    Assumptions.assumeTrue(CudaUnderTest.loaded().cublas().isPresent(), "skipped: no cuBLAS");
    return new CudaTwins(true, GemmPrecision.FLOAT32);
  }

  private CudaTwins(GemmPrecision ofFloats, ConvolutionChoice how, KernelTimer timer) {
    this.library = new KernelLibrary(device, CudaUnderTest.compiler(), ofFloats);
    this.cublas = Optional.empty();
    var onDemand = CudnnOnDemand.of(CudaUnderTest.cudnnSearch(), CudaUnderTest.loaded(), device);
    this.cudnn = Optional.of(onDemand);
    this.cuda = CudaKernels.catalog(library, cublas, new MeasuredConvolution(library, cublas, onDemand, how,
      new ChosenKernels(), timer));
  }

  /**
   * The same where cuDNN may serve convolutions; the test is skipped where it is missing.
   *
   * @param timer decides which of several is the fastest
   */
  public static CudaTwins openWithCudnn(GemmPrecision ofFloats, ConvolutionChoice how, KernelTimer timer) {
    CudaUnderTest.cudnn();
    return new CudaTwins(ofFloats, how, timer);
  }

  /** Which kernel serves a call. */
  public KernelRow.Twin twin(String operator, Attributes attributes, List<TensorType> outputs,
    @Nullable TensorView... inputs) {
    return cuda.find(operator, KernelRunner.signature(attributes, outputs, inputs)).orElseThrow().twin();
  }

  /**
   * So many matrices or heads as load this device as much as the given number loads one of two multiprocessors, such
   * as the simulated one: which kernel is chosen depends on whether there is enough for all of them.
   */
  public int loadedLikeTwo(int matrices) {
    return Math.ceilDiv(matrices * device.properties().multiprocessors(), 2);
  }

  /** All kernels on CUDA. */
  public KernelCatalog catalog() {
    return cuda;
  }

  /** The functions that kernels of this device are made of. */
  public KernelLibrary library() {
    return library;
  }

  /** Whether there is a kernel for a call. */
  public boolean serves(String operator, KernelSignature signature) {
    return cuda.find(operator, signature).isPresent();
  }

  /** Checks an operator with one output. */
  public void check(String operator, Attributes attributes, TensorType output, long length,
    @Nullable TensorView... inputs) {
    checkAll(operator, attributes, List.of(output), length, inputs);
  }

  /**
   * Checks an operator.
   *
   * @param length terms that make one element, as {@link Tolerance#of} takes it
   */
  public void checkAll(String operator, Attributes attributes, List<TensorType> outputs, long length,
    @Nullable TensorView... inputs) {
    check(preferred(operator, attributes, outputs, inputs), attributes, outputs, length, inputs);
  }

  /** Checks one kernel, though another may be preferred. */
  public void check(KernelRow row, Attributes attributes, List<TensorType> outputs, long length,
    @Nullable TensorView... inputs) {
    String operator = row.operator();
    List<TensorView> truth = portable.runAll(operator, attributes, outputs, inputs);
    List<TensorView> actual = run(row, attributes, outputs, inputs);
    for (int i = 0; i < truth.size(); i++) {
      Tolerance.of(truth.get(i).dtype(), length).check(operator + attributes, truth.get(i), actual.get(i));
    }
  }

  /** The outputs on CUDA. */
  public List<TensorView> run(String operator, Attributes attributes, List<TensorType> outputs,
    @Nullable TensorView... inputs) {
    return run(preferred(operator, attributes, outputs, inputs), attributes, outputs, inputs);
  }

  private KernelRow preferred(String operator, Attributes attributes, List<TensorType> outputs,
    @Nullable TensorView... inputs) {
    KernelSignature signature = KernelRunner.signature(attributes, outputs, inputs);
    return cuda.find(operator, signature).orElseThrow(() -> new AssertionError(
      "no kernel on CUDA: operator=%s signature=%s".formatted(operator, signature)));
  }

  private List<TensorView> run(KernelRow row, Attributes attributes, List<TensorType> outputs,
    @Nullable TensorView... inputs) {
    KernelSignature signature = KernelRunner.signature(attributes, outputs, inputs);
    List<DeviceMemory> held = new ArrayList<>();
    try {
      @Nullable
      TensorView[] there = new TensorView[inputs.length];
      for (int i = 0; i < inputs.length; i++) {
        TensorView input = inputs[i];
        there[i] = input == null || row.kernel().readsOnHost(i) ? input : uploaded(input, held);
      }
      TensorView[] results = outputs.stream().map(type -> uploaded(TestTensors.junk(type), held))
        .toArray(TensorView[]::new);
      MemorySegment workspace = room(row.kernel().workspaceBytes(signature), held);
      Runnable prepared = row.kernel().prepare(new KernelCall(there, results, attributes, workspace, stream));
      prepared.run();
      List<TensorView> first = downloaded(results);
      for (TensorView result : results) {
        stream.fill(result.segment().address(), (byte) 0xA5, result.segment().byteSize());
      }
      prepared.run();
      List<TensorView> second = downloaded(results);
      for (int i = 0; i < results.length; i++) {
        KernelRunner.checkBits(row.operator() + " run twice", first.get(i), second.get(i));
      }
      checkUntouched(row, inputs, there);
      return first;
    } finally {
      held.forEach(DeviceMemory::close);
    }
  }

  private void checkUntouched(KernelRow row, @Nullable TensorView[] inputs, @Nullable TensorView[] there) {
    for (int i = 0; i < inputs.length; i++) {
      TensorView input = inputs[i];
      TensorView after = there[i];
      if (input != null && after != null && !row.kernel().readsOnHost(i)) {
        KernelRunner.checkBits("%s changed its input %d".formatted(row.operator(), i), input, downloaded(after));
      }
    }
  }

  private TensorView uploaded(TensorView host, List<DeviceMemory> held) {
    MemorySegment there = room(host.segment().byteSize(), held);
    if (there.byteSize() > 0) {
      stream.copyToDevice(there.address(), host.segment());
    }
    return new TensorView(host.type(), there);
  }

  /** Addresses of the device, as a segment that must not be read here. */
  private MemorySegment room(long bytes, List<DeviceMemory> held) {
    if (bytes == 0) {
      return MemorySegment.NULL;
    }
    DeviceMemory memory = device.allocate(bytes);
    held.add(memory);
    stream.fill(memory.address(), (byte) 0xA5, bytes);
    return MemorySegment.ofAddress(memory.address()).reinterpret(bytes);
  }

  private List<TensorView> downloaded(TensorView[] results) {
    List<TensorView> all = new ArrayList<>();
    for (TensorView result : results) {
      all.add(downloaded(result));
    }
    return all;
  }

  private TensorView downloaded(TensorView result) {
    TensorView host = TestTensors.zeros(result.type());
    if (result.segment().byteSize() > 0) {
      stream.copyToHost(host.segment(), result.segment().address());
    }
    stream.synchronize();
    return host;
  }

  /** What a kernel asks for is what is compiled at build time, where that was done. */
  private void checkPrecompiled() {
    for (KernelLibrary.Asked asked : library.asked()) {
      if (!KernelVariants.isListed(asked.source(), asked.definitions())) {
        throw new AssertionError("KernelVariants does not list what a kernel asked for: " + asked);
      }
      PrecompiledKernels.ofThisLibrary().ifPresent(all -> checkPrecompiled(all, asked));
    }
  }

  private static void checkPrecompiled(PrecompiledKernels all, KernelLibrary.Asked asked) {
    KernelVariants variants = KernelVariants.ALL.stream().filter(it -> it.source().equals(asked.source())).findFirst()
      .orElseThrow();
    for (String architecture : List.of(variants.architectures(asked.definitions()).getFirst(), "sm_90")) {
      String code = new String(all.compile(KernelLibrary.source(asked.source()), architecture, KernelLibrary.options(
        asked.definitions())), StandardCharsets.US_ASCII);
      if (!code.contains(".visible .entry " + asked.function() + "(")) {
        throw new AssertionError("precompiled code has no such function: architecture=%s asked=%s".formatted(
          architecture, asked));
      }
    }
  }

  @Override
  public void close() {
    checkPrecompiled();
    portable.close();
    cublas.ifPresent(Cublas::close);
    cudnn.ifPresent(CudnnOnDemand::close);
    device.close();
  }
}
