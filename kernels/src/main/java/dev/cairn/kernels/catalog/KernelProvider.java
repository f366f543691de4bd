package dev.cairn.kernels.catalog;

import dev.cairn.kernels.device.ThreadTeam;
import java.util.List;
import java.util.Optional;

/**
 * A source of kernels for a device. It has rows for the catalog, and resources that their kernels use. A backend
 * composes its catalog from several providers, and closes them. Thread-safe.
 */
public interface KernelProvider extends AutoCloseable {
  /** The provider's name and instruction set, as text for users: {@code oneDNN 3.11 on avx512_core}. */
  String description();

  List<KernelRow> rows();

  /** The threads that its kernels run on, if loops of other kernels can run there, too. */
  default Optional<ThreadTeam> team() {
    return Optional.empty();
  }

  /** Releases the kernels' resources. The kernels, and all that they prepared, must not be used afterwards. */
  @Override
  default void close() {}

  /** Opens a provider that may be missing on this machine. */
  @FunctionalInterface
  interface Probe {
    /**
     * Opens the provider.
     *
     * @param threads the number of threads that one of its kernels may use
     * @throws Unavailable if the provider is missing or not usable
     */
    KernelProvider open(int threads) throws Unavailable;
  }

  /** The provider is not usable. The message says why. */
  final class Unavailable extends Exception {
    private static final long serialVersionUID = 1;

    public Unavailable(String message) {
      super(message);
    }

    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
