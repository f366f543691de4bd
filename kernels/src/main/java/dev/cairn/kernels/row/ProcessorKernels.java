package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelProvider;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.vector.VectorWidth;
import dev.cairn.kernels.device.ThreadTeam;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The processor's kernels, from all requested providers that this machine has. Owns the providers: close it after
 * everything that its kernels have prepared. Thread-safe.
 */
public final class ProcessorKernels implements AutoCloseable {
  private static final String NO_VECTORS = "vector: Java was started without --add-modules=jdk.incubator.vector";

  private final List<KernelProvider> providers;
  private final KernelCatalog catalog;
  private final KernelCatalog ofJava;
  private final Optional<String> lack;

  /** The requested providers. Each constant includes those before it. */
  public enum Wanted {
    /** Only the portable reference kernels: slow, but the first thing to try when hunting a bug. */
    PORTABLE,
    /** Kernels over the Vector API, if Java was started with {@code --add-modules=jdk.incubator.vector}. */
    VECTOR,
    /** Kernels of oneDNN, if the library can be loaded. */
    ONEDNN,
    /**
     * Winograd's algorithm for convolutions 3x3 that it at least halves the multiplications of, with oneDNN's products.
     * It stores four times as many weights.
     */
    WINOGRAD
  }

  private ProcessorKernels(List<KernelProvider> ofJava, Optional<KernelProvider> other, List<String> lacks) {
    this.ofJava = catalog(ofJava);
    this.providers = new ArrayList<>(ofJava);
    other.ifPresent(providers::add);
    this.catalog = catalog(providers);
    this.lack = lacks.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", lacks));
  }

  private static KernelCatalog catalog(List<KernelProvider> providers) {
    List<KernelRow> rows = providers.stream().flatMap(it -> it.rows().stream()).toList();
    // On some processors the provider's own sums of bytes saturate, so these rows are tried before them.
    Stream<KernelRow> exact = rows.stream().filter(row -> row.twin() != Twin.ONEDNN || !row.operator().equals(
      "MatMulInteger"));
    return new KernelCatalog(Stream.concat(exact, QuantizedKernels.packed(rows).stream()).toList());
  }

  /**
   * Opens the requested providers, and skips a missing one.
   *
   * @param oneDnn opens oneDNN, if it is requested
   * @param threads the number of threads that one kernel may use
   */
  public static ProcessorKernels open(Wanted wanted, KernelProvider.Probe oneDnn, int threads) {
    List<KernelProvider> ofJava = new ArrayList<>();
    List<String> lacks = new ArrayList<>();
    ofJava.add(new JavaKernels("portable", StandardKernels.portableRows()));
    if (wanted != Wanted.PORTABLE) {
      VectorWidth.bits().ifPresentOrElse(bits -> ofJava.add(new JavaKernels("vector %d bit".formatted(bits),
        StandardKernels.vectorRows())), () -> lacks.add(NO_VECTORS));
    }
    Optional<KernelProvider> other = Optional.empty();
    if (wanted.compareTo(Wanted.ONEDNN) >= 0) {
      try {
        other = Optional.of(oneDnn.open(threads));
      } catch (KernelProvider.Unavailable e) {
        lacks.add("oneDNN: " + e.getMessage());
      }
    }
    try {
      return new ProcessorKernels(ofJava, other, lacks);
    } catch (RuntimeException | Error e) {
      other.ifPresent(KernelProvider::close);
      throw e;
    }
  }

  private record JavaKernels(String description, List<KernelRow> rows) implements KernelProvider {}

  /** A catalog of all kernels, which prefers the fastest twin that accepts a call. */
  public KernelCatalog catalog() {
    return catalog;
  }

  /** A catalog of the Java kernels only. A model's constants are computed with them on every machine. */
  public KernelCatalog ofJava() {
    return ofJava;
  }

  /** Threads of a provider, on which other kernels' loops should run, too. */
  public Optional<ThreadTeam> team() {
    return providers.stream().flatMap(it -> it.team().stream()).findFirst();
  }

  /** The providers in use, the preferred one first, as text for users. */
  public String description() {
    return String.join(", ", providers.reversed().stream().map(KernelProvider::description).toList());
  }

  /** The reasons why requested providers are not in use. */
  public Optional<String> lack() {
    return lack;
  }

  @Override
  public void close() {
    providers.forEach(KernelProvider::close);
  }
}
