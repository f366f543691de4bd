package dev.cairn.kernels.cpu.vector;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RecurrentActivations;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.cpu.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;

/**
 * {@code LSTM} and {@code GRU} of {@code float32} with their usual functions. The products of all steps' inputs are one
 * matrix product; then each step adds the product of the last state ({@link RecurrentSteps}). Constant weights R are
 * packed once.
 */
public final class VectorRecurrent implements Kernel {
  private static final int RECURRENT = 2;
  private static final int BIASES = 3;
  private static final int PEEPHOLES = 7;
  /** So many terms of a step are worth more than one thread. */
  private static final long GRAIN_TERMS = 1 << 18;

  private final Cell cell;
  /** Whether R comes as {@link RecurrentPanels} packs it. */
  private final boolean isPacked;

  public VectorRecurrent(Cell cell) {
    this(cell, false);
  }

  private VectorRecurrent(Cell cell, boolean isPacked) {
    this.cell = cell;
    this.isPacked = isPacked;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Attributes given = signature.attributes();
    int directions = Math.toIntExact(signature.input(1).shape().extent(0));
    return RecurrentActivations.of(cell, given, directions).isDefault(cell) && given.getFloat("clip", 0) == 0
      && !given.getFlag("input_forget", false) && !signature.has(PEEPHOLES)
      && (cell == Cell.LSTM || given.getFlag("linear_before_reset", false));
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    if (!constants.contains(RECURRENT)) {
      return new PlannedKernel(this, Map.of());
    }
    RecurrentNetwork network = network(signature);
    long bytes = RecurrentPanels.bytes(network.directions(), cell.gates(), network.hidden());
    return new PlannedKernel(new VectorRecurrent(cell, true), Map.of(RECURRENT, new Packing(TensorType.of(DType.UINT8,
      bytes), new RecurrentPanels(cell.gates()))));
  }

  private RecurrentNetwork network(KernelSignature signature) {
    return RecurrentNetwork.of(cell, signature.attributes(), signature.input(0).shape(), signature.input(1).shape());
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return new RecurrentMemory(network(signature), !isPacked).bytes();
  }

  @Override
  public void run(KernelCall call) {
    RecurrentNetwork network = network(KernelSignature.of(call));
    var memory = new RecurrentMemory(network, !isPacked);
    MemorySegment panels = call.input(RECURRENT).segment();
    if (!isPacked) {
      panels = call.workspace().asSlice(memory.panelStart(), RecurrentPanels.bytes(network.directions(), cell.gates(),
        network.hidden()));
      RecurrentPanels.pack(call, call.input(RECURRENT).segment(), (long) network.directions() * cell.gates(), network
        .hidden(), panels);
    }
    for (int direction = 0; direction < network.directions(); direction++) {
      addInput(call, memory, direction);
    }
    var steps = new RecurrentSteps[network.directions()];
    for (int direction = 0; direction < steps.length; direction++) {
      steps[direction] = new RecurrentSteps(call, memory, panels, direction);
    }
    long blockTerms = Math.max(1, (long) network.gateRows() * network.batch() * RegisterTile.LANES);
    long grain = Math.max(1, GRAIN_TERMS / blockTerms);
    int blocks = RecurrentPanels.blocks(network.hidden());
    CpuStream stream = CpuStream.of(call);
    if (blocks <= grain) {
      stream.parallel(steps.length, 1, (first, end) -> {
        for (long direction = first; direction < end; direction++) {
          steps[(int) direction].run((count, body) -> body.run(0, count));
        }
      });
    } else {
      for (RecurrentSteps of : steps) {
        of.run((count, body) -> stream.parallel(count, grain, body));
      }
    }
  }

  /** Computes what the inputs of all steps add to the gates, and adds up the biases. */
  private void addInput(KernelCall call, RecurrentMemory memory, int direction) {
    TensorView x = call.input(0).reshaped(memory.inputType().shape());
    TensorView w = part(call.input(1).segment(), memory.weightType(), direction * memory.weightType().bytes());
    TensorView sums = part(call.workspace(), memory.sumType(), memory.sumStart(direction));
    VectorMatmul.GEMM.run(new KernelCall(new TensorView[] {x, w}, new TensorView[] {sums}, RecurrentMemory.TRANSPOSED,
      memory.product(call.workspace()), call.stream()));
    RecurrentNetwork network = memory.network();
    int rows = network.gateRows();
    int summed = cell == Cell.LSTM ? rows : rows - network.hidden();
    for (int row = 0; row < rows + network.hidden(); row++) {
      float bias = 0;
      if (call.has(BIASES) && row < rows) {
        long at = 2L * direction * rows + row;
        bias = bias(call, at) + (row < summed ? bias(call, at + rows) : 0);
      } else if (call.has(BIASES) && summed < rows) {
        bias = bias(call, 2L * direction * rows + rows + row - network.hidden());
      }
      call.workspace().set(RecurrentSteps.FLOAT, memory.biasStart(direction) + (long) row * Float.BYTES, bias);
    }
  }

  private static float bias(KernelCall call, long at) {
    return call.input(BIASES).segment().get(RecurrentSteps.FLOAT, at * Float.BYTES);
  }

  private static TensorView part(MemorySegment segment, TensorType type, long at) {
    return new TensorView(type, segment.asSlice(at, type.bytes()));
  }
}
