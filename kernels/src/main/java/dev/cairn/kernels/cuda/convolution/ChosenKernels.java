package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.device.DeviceId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The kernels chosen for calls, by name. A choice is final, so a model has the same plan and the same results each time
 * it is opened. Thread-safe.
 */
public final class ChosenKernels {
  /** The choices of this process. They remain valid when a device is closed and opened again. */
  public static final ChosenKernels OF_PROCESS = new ChosenKernels();

  private final Map<Key, String> names = new HashMap<>();

  /** Creates an empty set of choices. */
  public ChosenKernels() {}

  /**
   * All that a choice depends on.
   *
   * @param ofFloats the precision of {@code float32} products
   * @param how the requested way to choose
   * @param names the names of the candidates
   */
  record Key(DeviceId device, GemmPrecision ofFloats, ConvolutionChoice how, List<String> names,
    KernelSignature signature) {}

  synchronized Optional<String> find(Key key) {
    return Optional.ofNullable(names.get(key));
  }

  /** Stores a name unless the key already has one. Returns the stored name. */
  synchronized String keep(Key key, String name) {
    String before = names.putIfAbsent(key, name);
    return before == null ? name : before;
  }
}
