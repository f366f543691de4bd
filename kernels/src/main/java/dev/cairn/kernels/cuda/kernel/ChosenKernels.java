package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.device.DeviceId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which kernels were chosen for which calls, by name: what was chosen once stays chosen, so that the same model has the
 * same plan and the same results however often it is opened. Thread-safe.
 */
public final class ChosenKernels {
  /** What this process has chosen; a device is the same however often it is opened. */
  public static final ChosenKernels OF_PROCESS = new ChosenKernels();

  private final Map<Key, String> names = new HashMap<>();

  /** Nothing is chosen yet. */
  public ChosenKernels() {}

  /**
   * What a choice depends on.
   *
   * @param ofFloats how exactly {@code float32} is multiplied
   * @param how what was asked for
   * @param names who could be chosen
   */
  record Key(DeviceId device, GemmPrecision ofFloats, ConvolutionChoice how, List<String> names,
    KernelSignature signature) {}

  synchronized Optional<String> find(Key key) {
    return Optional.ofNullable(names.get(key));
  }

  /** Keeps a name unless another one is kept already; answers the one that is. */
  synchronized String keep(Key key, String name) {
    String before = names.putIfAbsent(key, name);
    return before == null ? name : before;
  }
}
