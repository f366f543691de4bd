package dev.cairn.kernels.catalog.family;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelProvider;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.vector.VectorWidth;
import dev.cairn.kernels.device.ThreadTeam;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The processor's kernels, from all providers that are wanted and there. Owns the providers: close it after everything
 * that its kernels prepared. Thread-safe.
 */
public final class ProcessorKernels implements AutoCloseable {
  private final List<KernelProvider> providers;
  private final KernelCatalog catalog;
  private final KernelCatalog ofJava;
  private final Optional<String> lack;

  /** Which providers are wanted: each of these wants those before it, too. */
  public enum Wanted {
    /** The truth alone: slow, and the first thing to switch to in a bug hunt. */
    PORTABLE,
    /** The Vector API, which every machine has. */
    VECTOR,
    /** oneDNN, where it can be loaded. */
    ONEDNN
  }

  private ProcessorKernels(List<KernelProvider> ofJava, Optional<KernelProvider> other, Optional<String> lack) {
    this.ofJava = catalog(ofJava);
    this.providers = new ArrayList<>(ofJava);
    other.ifPresent(providers::add);
    this.catalog = catalog(providers);
    this.lack = lack;
  }

  private static KernelCatalog catalog(List<KernelProvider> providers) {
    return new KernelCatalog(providers.stream().flatMap(it -> it.rows().stream()).toList());
  }

  /**
   * Opens what is wanted; a provider that is not there is left out.
   *
   * @param oneDnn looks for it, where it is wanted
   * @param threads that one kernel may use
   */
  public static ProcessorKernels open(Wanted wanted, KernelProvider.Probe oneDnn, int threads) {
    List<KernelProvider> ofJava = new ArrayList<>();
    ofJava.add(new JavaKernels("portable", StandardKernels.portableRows()));
    if (wanted != Wanted.PORTABLE) {
      String width = VectorWidth.bits().isPresent() ? " %d bit".formatted(VectorWidth.bits().getAsInt()) : "";
      ofJava.add(new JavaKernels("vector" + width, StandardKernels.vectorRows()));
    }
    if (wanted != Wanted.ONEDNN) {
      return new ProcessorKernels(ofJava, Optional.empty(), Optional.empty());
    }
    try {
      return new ProcessorKernels(ofJava, Optional.of(oneDnn.open(threads)), Optional.empty());
    } catch (KernelProvider.Unavailable e) {
      return new ProcessorKernels(ofJava, Optional.empty(), Optional.of("oneDNN: " + e.getMessage()));
    }
  }

  private record JavaKernels(String description, List<KernelRow> rows) implements KernelProvider {}

  /** Every kernel; the fastest twin that accepts a call is preferred. */
  public KernelCatalog catalog() {
    return catalog;
  }

  /** Those that are written in Java: constants of a model do not depend on which library is there. */
  public KernelCatalog ofJava() {
    return ofJava;
  }

  /** Threads of a provider, on which other kernels' loops should run, too. */
  public Optional<ThreadTeam> team() {
    return providers.stream().flatMap(it -> it.team().stream()).findFirst();
  }

  /** Which providers serve, the preferred one first, for people. */
  public String description() {
    return String.join(", ", providers.reversed().stream().map(KernelProvider::description).toList());
  }

  /** Why a provider that is wanted does not serve. */
  public Optional<String> lack() {
    return lack;
  }

  @Override
  public void close() {
    providers.forEach(KernelProvider::close);
  }
}
