package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.cpu.convolution.WinogradTiles;
import dev.cairn.kernels.onednn.Stage.Argument;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A convolution by Winograd's algorithm. It transforms blocks of tiles, multiplies them with the transformed weights by
 * oneDNN, and transforms the sums to pixels:
 *
 * <pre>
 * workspace:  zeros[C]   then for each lane:   scratch of its threads   tiles[36][T][C]   sums[36][T][K]   scratchpad
 * packed:     weights[36][C][K], as the product wants them
 * </pre>
 *
 * <p>A lane is a share of the tiles: each thread has its own, or all threads work on one ({@link WinogradShape#lanes}).
 *
 * @param hasBias whether input 2 is one number for each channel of the result
 * @param least results are raised to it
 */
record WinogradConvolution(OneDnnEngine engine, WinogradShape shape, boolean hasBias, float least) implements Kernel {
  private static final int WEIGHTS = 1;
  /** Packed matrices have multiples of so many columns: others are as fast row-major, and smaller. */
  private static final int PACKED_COLUMNS = 64;
  /** Between two of the 36 matrices, so that they do not share sets of the first cache. */
  private static final long GAP = 48;

  /**
   * Winograd's algorithm for a convolution of a plan.
   *
   * @param plain its signature, with images as {@code N,C,H,W}
   * @return empty where it does not apply, or would take longer than the direct algorithm
   */
  static Optional<PlannedKernel> planned(OneDnnEngine engine, KernelSignature plain, PostOperations epilogue,
    Set<Integer> constants) {
    boolean isSimple = epilogue.operations().isEmpty()
      || epilogue.operations().equals(List.of(PostOperations.RECTIFIED));
    if (!constants.contains(WEIGHTS) || !isSimple) {
      return Optional.empty();
    }
    float least = epilogue.operations().isEmpty() ? Float.NEGATIVE_INFINITY : 0;
    return WinogradShape.of(plain).filter(WinogradShape::isWorthIt).map(it -> new WinogradConvolution(engine, it, plain
      .has(2), least)).flatMap(WinogradConvolution::planned);
  }

  private Optional<PlannedKernel> planned() {
    try (var scope = new NativeScope(engine.calls())) {
      Program program = program(scope, 0);
      return program.isReference()
        ? Optional.empty()
        : Optional.of(new PlannedKernel(this, Map.of(WEIGHTS, packing(scope))));
    }
  }

  private Packing packing(NativeScope scope) {
    ProgramBuilder builder = builder(scope, engine);
    Layouts layouts = builder.layouts();
    long plain = layouts.plain(WinogradShape.POINTS, shape.channels(), shape.filters());
    return new WinogradWeights(engine, shape.channels(), shape.filters(),
      PackedLayout.of(scope, plain, weights(builder)))
      .packing();
  }

  /** The layout of the weights, as so many tiles want them, so that plans for all shapes share them. */
  private long weights(ProgramBuilder program) {
    if (shape.filters() % PACKED_COLUMNS != 0) {
      return program.layouts().plain(WinogradShape.POINTS, shape.channels(), shape.filters());
    }
    long any = program.layouts().any(WinogradShape.POINTS, shape.channels(), shape.filters());
    return program.weightsLayout(product(program, OneDnnMatmul.PACKED_FOR_ROWS, any));
  }

  private long product(ProgramBuilder program, long tiles, long weights) {
    return OneDnnMatmul.descriptor(program, matrices(program, tiles, shape.channels()), weights, 0, matrices(program,
      tiles, shape.filters()));
  }

  private static long matrices(ProgramBuilder program, long tiles, long columns) {
    return program.layouts().strided(new long[] {WinogradShape.POINTS, tiles, columns}, new long[] {stride(tiles,
      columns), columns, 1});
  }

  /** Elements from one of the 36 matrices to the next. */
  private static long stride(long tiles, long columns) {
    return tiles * columns + GAP;
  }

  private static long matricesBytes(long tiles, long columns) {
    return WinogradShape.POINTS * stride(tiles, columns) * Float.BYTES;
  }

  /** The product of a lane's block of tiles and the weights, for a lane that begins there in the workspace. */
  private Program program(NativeScope scope, long lane) {
    long weights = weights(builder(scope, engine));
    ProgramBuilder builder = builder(scope, engineOfLane());
    long tiles = tilesOfBlock();
    builder.reserveBytes(lane + tilesAt());
    OperandPlace tilesPlace = builder.reserveBytes(matricesBytes(tiles, shape.channels()));
    OperandPlace sumsPlace = builder.reserveBytes(matricesBytes(tiles, shape.filters()));
    List<Argument> arguments = List.of(new Argument(Stage.SOURCE, matrices(builder, tiles, shape.channels()),
      tilesPlace), new Argument(Stage.WEIGHTS, weights, new OperandPlace.Input(WEIGHTS)),
      new Argument(Stage.RESULT,
        matrices(builder, tiles, shape.filters()), sumsPlace));
    builder.add(product(builder, tiles, weights), arguments);
    return builder.build();
  }

  private static ProgramBuilder builder(NativeScope scope, OneDnnEngine of) {
    return new ProgramBuilder(new Layouts(scope.with(of.calls()), DType.FLOAT32), of, Set.of(), _ -> 0);
  }

  private OneDnnEngine engineOfLane() {
    return lanes() == 1 ? engine : engine.onOneThread();
  }

  private long laneBytes() {
    try (var scope = new NativeScope(engine.calls())) {
      return ProgramBuilder.aligned(program(scope, 0).workspaceBytes());
    }
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return zerosBytes() + lanes() * laneBytes();
  }

  @Override
  public boolean servesSmallerCalls() {
    return false;
  }

  @Override
  public boolean isRebindable() {
    return true;
  }

  @Override
  public void run(KernelCall call) {
    try (Prepared once = prepare(call)) {
      once.run();
    }
  }

  @Override
  public Prepared prepare(KernelCall call) {
    long bytes = laneBytes();
    List<WinogradLane> lanes = new ArrayList<>();
    try {
      for (int lane = 0; lane < lanes(); lane++) {
        long at = zerosBytes() + lane * bytes;
        lanes.add(new WinogradLane(this, call, lane, at, product(call, at)));
      }
    } catch (RuntimeException | Error e) {
      lanes.forEach(WinogradLane::close);
      throw e;
    }
    return new WinogradLanes(this, call, lanes);
  }

  private PreparedProgram product(KernelCall call, long lane) {
    var scope = new NativeScope(engine.calls());
    Program program;
    try {
      program = program(scope, lane);
    } catch (RuntimeException | Error e) {
      scope.close();
      throw e;
    }
    return new PreparedProgram(engineOfLane(), scope, program, call);
  }

  int lanes() {
    return shape.lanes(engine.threads());
  }

  /** Threads that work on one lane. */
  int threadsOfLane() {
    return lanes() == 1 ? engine.threads() : 1;
  }

  long tilesOfBlock() {
    return shape.tilesOfBlock(lanes());
  }

  /** Bytes of one pixel that is read. */
  long pixelBytes() {
    return (long) shape.channels() * Float.BYTES;
  }

  /** Bytes of the zeros that the workspace begins with. */
  private long zerosBytes() {
    return ProgramBuilder.aligned(pixelBytes());
  }

  /** Where the scratch memory of a lane's thread begins in the lane. */
  static long scratchAt(int thread) {
    return thread * ProgramBuilder.aligned(WinogradTiles.SCRATCH);
  }

  /** Where the transformed tiles begin in a lane. */
  long tilesAt() {
    return scratchAt(threadsOfLane());
  }

  /** Where the sums begin in a lane. */
  long sumsAt() {
    return ProgramBuilder.aligned(tilesAt() + matricesBytes(tilesOfBlock(), shape.channels()));
  }

  /** Bytes from one of a block's 36 matrices to the next. */
  long strideBytes(long columns) {
    return stride(tilesOfBlock(), columns) * Float.BYTES;
  }
}
