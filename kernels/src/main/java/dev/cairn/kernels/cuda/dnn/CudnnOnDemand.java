package dev.cairn.kernels.cuda.dnn;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudnnLibraries;
import dev.cairn.kernels.cuda.load.FoundCudnn;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * cuDNN on one device, loaded and started on first use: this takes a while, and a model without convolutions does not
 * need it. Owns the {@link Cudnn}. Thread-safe.
 */
public final class CudnnOnDemand implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CudnnOnDemand.class);

  private final Supplier<Optional<Cudnn>> opening;
  private Optional<Cudnn> opened = Optional.empty();
  private boolean lookedFor;
  private boolean closed;

  private CudnnOnDemand(Supplier<Optional<Cudnn>> opening) {
    this.opening = opening;
  }

  /** The cuDNN that a search finds, for a device. */
  public static CudnnOnDemand of(CudaSearch search, LoadedCuda loaded, CudaDevice device) {
    return new CudnnOnDemand(() -> open(CudnnLibraries.load(search, loaded), device));
  }

  private static Optional<Cudnn> open(FoundCudnn found, CudaDevice device) {
    found.refused().forEach(it -> LOG.info("not used: {}", it));
    found.notes().forEach(LOG::info);
    if (found.library().isEmpty()) {
      LOG.info("there is no usable cuDNN: convolutions run on kernels of Cairn's own");
      return Optional.empty();
    }
    try {
      Cudnn cudnn = Cudnn.open(found.library().get(), device);
      LOG.info("cuDNN {} is loaded: {}", cudnn.library().versionText(), cudnn.library().file());
      return Optional.of(cudnn);
    } catch (CudnnFailure e) {
      LOG.warn("cuDNN cannot be used, so convolutions run on kernels of Cairn's own: file={} reason={}", found.library()
        .get().file(), e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns cuDNN; empty if no usable one was found. The search happens only once. */
  public synchronized Optional<Cudnn> get() {
    if (closed) {
      throw new IllegalStateException("closed already");
    }
    if (!lookedFor) {
      opened = opening.get();
      lookedFor = true;
    }
    return opened;
  }

  @Override
  public synchronized void close() {
    opened.ifPresent(Cudnn::close);
    closed = true;
  }
}
