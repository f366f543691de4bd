package dev.cairn.kernels.catalog;

import dev.cairn.kernels.device.ThreadTeam;
import java.util.List;
import java.util.Optional;

/**
 * Where kernels come from: rows for a device, and what they need while they are used. A backend composes its catalog
 * from several providers, and closes them. Thread-safe.
 */
public interface KernelProvider extends AutoCloseable {
  /** What a person calls it, with what it runs on: {@code oneDNN 3.11 on avx512_core}. */
  String description();

  List<KernelRow> rows();

  /** The threads that its kernels run on, if loops of other kernels can run there, too. */
  default Optional<ThreadTeam> team() {
    return Optional.empty();
  }

  /** Gives back what the kernels need; none of them may be used any more, nor anything that they prepared. */
  @Override
  default void close() {}

  /** Looks for a provider that may not be there. */
  @FunctionalInterface
  interface Probe {
    /**
     * Opens the provider, where it is there.
     *
     * @param threads that one of its kernels may use
     * @throws Unavailable when it can't be used
     */
    KernelProvider open(int threads) throws Unavailable;
  }

  /** A provider can't be used; the message says why. */
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
