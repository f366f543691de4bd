package dev.cairn.kernels.cpu.recurrent;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RecurrentActivations;
import dev.cairn.kernels.attribute.RecurrentForm;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.cpu.product.TiledProduct;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.RegisterTile;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code LSTM} and {@code GRU} of {@code float32} with their usual functions. The products of all steps' inputs are one
 * matrix product ({@link RecurrentInput}); then each step adds the product of the last state ({@link RecurrentSteps}).
 * Constant weights are packed once.
 */
public final class VectorRecurrent implements Kernel {
  private static final int INPUT = 1;
  private static final int RECURRENT = 2;
  private static final int PEEPHOLES = 7;
  /** The number of terms of a step that are worth more than one thread. */
  private static final long GRAIN_TERMS = 1 << 18;

  private final Cell cell;
  /** The network of the calls of one step of a plan; null for calls of any. */
  private final @Nullable RecurrentNetwork planned;
  /** Which weights come as {@link RecurrentPanels} packs them. */
  private final Set<Integer> packed;

  public VectorRecurrent(Cell cell) {
    this(cell, null, Set.of());
  }

  private VectorRecurrent(Cell cell, @Nullable RecurrentNetwork planned, Set<Integer> packed) {
    this.cell = cell;
    this.planned = planned;
    this.packed = packed;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Attributes given = signature.attributes();
    int directions = Math.toIntExact(signature.input(INPUT).shape().extent(0));
    return RecurrentActivations.of(cell, given, directions).isDefault(cell) && RecurrentForm.of(given).clip() == 0
      && !RecurrentForm.of(given).couplesGates() && !signature.has(PEEPHOLES);
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    RecurrentNetwork network = network(signature);
    var panels = new RecurrentPanels(cell.gates());
    Map<Integer, Packing> packings = new HashMap<>();
    for (int weights : List.of(INPUT, RECURRENT)) {
      if (constants.contains(weights)) {
        packings.put(weights, new Packing(TensorType.of(DType.UINT8, panels.bytes(signature.input(weights).shape())),
          panels));
      }
    }
    return new PlannedKernel(new VectorRecurrent(cell, network, Set.copyOf(packings.keySet())), packings);
  }

  private RecurrentNetwork network(KernelSignature signature) {
    return planned != null
      ? planned
      : RecurrentNetwork.of(cell, signature.attributes(), signature.input(0).shape(), signature.input(INPUT).shape());
  }

  private RecurrentMemory memory(RecurrentNetwork network) {
    return new RecurrentMemory(network, !packed.contains(INPUT), !packed.contains(RECURRENT));
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return memory(network(signature)).bytes();
  }

  @Override
  public void run(KernelCall call) {
    RecurrentNetwork network = planned != null ? planned : network(KernelSignature.of(call));
    RecurrentMemory memory = memory(network);
    CpuStream stream = CpuStream.of(call);
    MemorySegment input = packed.contains(INPUT)
      ? call.input(INPUT).segment()
      : packed(call, INPUT, memory.inputPanels(call.workspace()));
    MemorySegment recurrent = packed.contains(RECURRENT)
      ? call.input(RECURRENT).segment()
      : packed(call, RECURRENT, memory.statePanels(call.workspace()));
    var steps = new RecurrentSteps[network.directions()];
    for (int direction = 0; direction < steps.length; direction++) {
      steps[direction] = new RecurrentSteps(call, memory, recurrent, direction);
    }
    boolean isFlat = RecurrentInput.isFlat(memory);
    if (!isFlat) {
      var product = new KernelCall(new TensorView[0], new TensorView[0], Attributes.NONE, memory.product(call
        .workspace()), stream);
      TiledProduct.run(product, RecurrentInput.size(memory), new RecurrentInput(memory, call.input(0).segment(), input,
        call.workspace()));
    }
    long blockTerms = Math.max(1, (long) network.gateRows() * network.batch() * RegisterTile.LANES);
    long grain = Math.max(1, GRAIN_TERMS / blockTerms);
    if (RecurrentPanels.blocks(network.hidden()) <= grain) {
      stream.parallel(steps.length, 1, (first, end) -> {
        for (long direction = first; direction < end; direction++) {
          run(steps[(int) direction], isFlat, input, (count, body) -> body.run(0, count));
        }
      });
    } else {
      for (RecurrentSteps of : steps) {
        run(of, isFlat, input, (count, body) -> stream.parallel(count, grain, body));
      }
    }
  }

  private static void run(RecurrentSteps steps, boolean isFlat, MemorySegment input, RecurrentSteps.Blocks shared) {
    if (isFlat) {
      steps.addInput(input, shared);
    }
    steps.run(shared);
  }

  private MemorySegment packed(KernelCall call, int weights, MemorySegment place) {
    new RecurrentPanels(cell.gates()).pack(CpuStream.of(call), call.input(weights), place);
    return place;
  }
}
