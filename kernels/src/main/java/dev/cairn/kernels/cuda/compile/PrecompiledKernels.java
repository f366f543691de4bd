package dev.cairn.kernels.cuda.compile;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.compile.PrecompiledIndex.Image;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This library's kernels as PTX, compiled at build time if nvcc was installed. The driver translates PTX to machine
 * code. They are used if there is no NVRTC. Thread-safe.
 */
public final class PrecompiledKernels implements KernelCompiler {
  /** The folder of the kernels and their index on the class path. */
  public static final String FOLDER = "META-INF/cairn/ptx";
  static final String INDEX = "index";

  private static final Logger LOG = LoggerFactory.getLogger(PrecompiledKernels.class);
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private final PrecompiledIndex index;

  private PrecompiledKernels(PrecompiledIndex index) {
    this.index = index;
  }

  /** Holds the kernels, which are read once. */
  private static final class Holder {
    static final Optional<PrecompiledKernels> FOUND = resource(INDEX).map(it -> new PrecompiledKernels(PrecompiledIndex
      .parse(new String(it, StandardCharsets.UTF_8))));
  }

  /** The kernels in this library; empty if it was built without them: docs/gpu.md. */
  public static Optional<PrecompiledKernels> ofThisLibrary() {
    return Holder.FOUND;
  }

  /**
   * The kernels of this library, for a device that accepts them.
   *
   * @throws CudaUnavailable if there are none, the device is too old for all of them, or the driver refuses them
   */
  public static PrecompiledKernels on(CudaDevice device) {
    PrecompiledKernels kernels = ofThisLibrary().orElseThrow(() -> new CudaUnavailable(Reason.NO_COMPILER, Map.of(
      "precompiled", "none: Cairn was built without -Pprecompiled")));
    String architecture = device.properties().architecture();
    Image first = kernels.index.images().stream().filter(it -> it.architecture() <= PrecompiledIndex.number(
      architecture)).findFirst().orElseThrow(() -> kernels.refused("none for this device", architecture));
    try {
      device.load(kernels.read(first)).close();
    } catch (CudaFailure e) {
      if (isRefusal(e.code())) {
        throw kernels.refused(e.errorName(), architecture);
      }
      throw e;
    }
    kernels.tell(architecture);
    return kernels;
  }

  /** PTX that is invalid, too new for the driver, or for other devices; or no compiler for PTX in the driver. */
  private static boolean isRefusal(int code) {
    return switch (code) {
      case 200, 209, 218, 221, 222, 223 -> true;
      default -> false;
    };
  }

  private CudaUnavailable refused(String why, String architecture) {
    return new CudaUnavailable(Reason.KERNELS_REFUSED, Map.of("evidence", why, "device", architecture, "made", index
      .made(), "remedy", "install NVRTC, or a newer driver"));
  }

  private void tell(String architecture) {
    if (TOLD.compareAndSet(false, true)) {
      LOG.info("there is no usable NVRTC: {} families of kernels compiled at build time serve, and nothing is fused",
        families(architecture));
    }
  }

  /** The number of sources that have an image for this architecture. */
  public int families(String architecture) {
    return index.sourcesFor(architecture).size();
  }

  /** The compiler's name, as text for users. */
  public String made() {
    return index.made();
  }

  @Override
  public byte[] compile(CudaProgram source, String architecture, List<String> options) {
    return read(index.find(PrecompiledIndex.key(source, options), architecture).orElseThrow(() -> new NotPrecompiled(
      source, architecture, options, index.made())));
  }

  @Override
  public boolean compilesAnything() {
    return false;
  }

  private byte[] read(Image image) {
    return resource(image.file()).orElseThrow(() -> new IllegalStateException(
      "a precompiled kernel is in the index and not there: file=%s/%s".formatted(FOLDER, image.file())));
  }

  private static Optional<byte[]> resource(String name) {
    try (InputStream in = PrecompiledKernels.class.getResourceAsStream("/" + FOLDER + "/" + name)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("precompiled kernels can't be read: name=" + name, e);
    }
  }
}
