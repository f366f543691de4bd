package dev.cairn.runtime.cli.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.cairn.kernels.cuda.load.CacheReport;
import dev.cairn.kernels.cuda.load.CudaLibraries;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import dev.cairn.kernels.cuda.load.CudnnLibraries;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cli.doctor.JavaFacts.NativeAccess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks at this machine. CUDA is loaded into the process on the way, for good, where it can be. */
public final class HostProbe {
  private HostProbe() {}

  /** All facts. */
  public static Host look(CudaSearch search) {
    // Both as they are before anything is loaded: loading enables the one, and fills the other.
    boolean enabled = CudaLibraries.class.getModule().isNativeAccessEnabled();
    CacheReport cache = CacheReport.of(search);
    CudaFacts cuda = cuda(search);
    boolean denied = cuda.unavailable().filter(it -> it.reason() == Reason.NO_NATIVE_ACCESS).isPresent();
    var java = new JavaFacts(Runtime.version(), System.getProperty("java.vendor"), System.getProperty("os.name"), System
      .getProperty("os.arch"),
      enabled
        ? NativeAccess.ENABLED
        : denied
          ? NativeAccess.DENIED
          : NativeAccess.WITH_A_WARNING,
      isOn("UseCompactObjectHeaders"));
    return new Host(java, cache, search.cacheFolder().isPresent(), toolkits(search), cuda, kernels(search));
  }

  private static KernelFacts kernels(CudaSearch search) {
    try (ProcessorKernels kernels = Backends.processorKernels(DeviceOptions.CPU.withSearch(search), 1)) {
      return new KernelFacts(kernels.description(), kernels.lack());
    }
  }

  /** Asked of the JVM itself: the flag may come from anywhere, and be on by default. */
  static boolean isOn(String flag) {
    HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      return jvm != null && Boolean.parseBoolean(jvm.getVMOption(flag).getValue());
    } catch (IllegalArgumentException e) {
      return false; // a JVM without such a flag
    }
  }

  /** Loads CUDA, and says whether that worked. */
  public static CudaFacts cuda(CudaSearch search) {
    try {
      LoadedCuda loaded = CudaLibraries.load(search);
      return new CudaFacts(Optional.of(loaded), Optional.empty(), kernelModule(), GpuProbe.devices(loaded),
        GpuProbe.precompiled(loaded), CudnnLibraries.load(search, loaded));
    } catch (CudaUnavailable e) {
      return new CudaFacts(Optional.empty(), Optional.of(e), kernelModule(), List.of(),
        PrecompiledFacts.NOT_NEEDED, CudaFacts.NO_CUDNN);
    }
  }

  private static Optional<String> kernelModule() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/driver/nvidia/version"))) {
      return lines.findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static List<ToolkitVariable> toolkits(CudaSearch search) {
    List<ToolkitVariable> found = new ArrayList<>();
    for (String name : CudaSearch.TOOLKIT_VARIABLES) {
      String value = search.environment().getOrDefault(name, "");
      if (!value.isBlank()) {
        found.add(new ToolkitVariable(name, value, fault(value)));
      }
    }
    return found;
  }

  private static String fault(String value) {
    try {
      Path folder = Path.of(value);
      if (!folder.isAbsolute()) {
        return "no absolute path";
      }
      if (!Files.isDirectory(folder)) {
        return "no such folder";
      }
      boolean hasLibraries = CudaSearch.TOOLKIT_LIBRARY_FOLDERS.stream().map(folder::resolve).anyMatch(
        Files::isDirectory);
      return hasLibraries ? "" : "neither lib64 nor lib in it";
    } catch (InvalidPathException e) {
      return "no path";
    }
  }
}
