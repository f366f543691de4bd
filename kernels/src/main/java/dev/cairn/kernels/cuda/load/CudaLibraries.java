package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.load.NativeFiles;
import dev.cairn.kernels.load.OpenLibrary;
import dev.cairn.kernels.load.CannotOpen;
import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.load.CacheUnusable;
import dev.cairn.kernels.cuda.load.elf.ElfMachine;
import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads CUDA into this process, once: driver, NVRTC, cuBLAS, and JCuda over each. Code that uses a class of JCuda calls
 * {@link #load} first. Thread-safe. A caller may repeat a failed call with the same driver.
 */
public final class CudaLibraries {
  /** The oldest CUDA version that a driver must support: JCuda's natives are linked for CUDA 12. */
  public static final int LEAST_DRIVER_VERSION = 12000;

  private static final Logger LOG = LoggerFactory.getLogger(CudaLibraries.class);

  private static @Nullable LoadedCuda loaded;
  /** The driver that this process has started. A second driver would be bound to the first one's name. */
  private static @Nullable Path started;

  private CudaLibraries() {}

  /**
   * Loads the libraries that this machine has. After the first success, all calls return the same result.
   *
   * @throws CudaUnavailable if no GPU is usable, with the reason
   */
  public static synchronized LoadedCuda load(CudaSearch search) {
    if (loaded == null) {
      loaded = loadNow(search);
      tell(loaded);
    } else {
      requireSame(search, loaded.driver());
    }
    return loaded;
  }

  private static void tell(LoadedCuda cuda) {
    LOG.debug("CUDA is loaded: {}", cuda);
    if (cuda.cublas().isEmpty()) {
      LOG.info("there is no usable cuBLAS: matrix products run on kernels of Cairn's own");
    }
    cuda.refused().forEach(it -> LOG.info("not used: {}", it));
    cuda.notes().forEach(LOG::info);
  }

  private static LoadedCuda loadNow(CudaSearch search) {
    requirePlatform(System.getProperty("os.name"), System.getProperty("os.arch"));
    JcudaClasses.requirePresent(JcudaClasses.class.getClassLoader());
    try {
      String name = DriverFile.find(search);
      var loader = new DynamicLoader();
      OpenLibrary driver = open(loader, name);
      var calls = new DriverCalls(loader, driver);
      int version = start(calls, loader, driver);
      return bind(search, loader, driver.file(), version, calls.devices());
    } catch (IllegalCallerException e) {
      throw new CudaUnavailable(Reason.NO_NATIVE_ACCESS, Map.of("evidence", String.valueOf(e.getMessage())), e);
    }
  }

  static void requirePlatform(String system, String architecture) {
    if (!system.equals("Linux") || !architecture.equals("amd64")) {
      throw new CudaUnavailable(Reason.WRONG_PLATFORM, Map.of("system", system, "architecture", architecture));
    }
  }

  private static OpenLibrary open(DynamicLoader loader, String name) {
    ElfMachine.otherThanOurs(Path.of(name)).ifPresent(it -> {
      throw new CudaUnavailable(Reason.DRIVER_BROKEN, Map.of("driver", name, "evidence", "it is for %s, not for x86-64"
        .formatted(it)));
    });
    try {
      return loader.open(name);
    } catch (CannotOpen e) {
      throw new CudaUnavailable(Reason.DRIVER_BROKEN, Map.of("driver", name, "evidence", String.valueOf(e
        .getMessage())), e);
    }
  }

  /** Starts the driver, unless it is too old, and returns the CUDA version that it supports. */
  private static int start(DriverCalls calls, DynamicLoader loader, OpenLibrary driver) {
    int version;
    try {
      if (started != null && !isSame(started, driver.file())) {
        throw alreadyBound(driver.file(), started);
      }
      version = calls.version();
      if (version < LEAST_DRIVER_VERSION) {
        throw new CudaUnavailable(Reason.DRIVER_TOO_OLD, Map.of("driver", driver.file().toString(), "version", String
          .valueOf(version), "least", String.valueOf(LEAST_DRIVER_VERSION)));
      }
    } catch (CudaUnavailable e) {
      loader.close(driver);
      throw e;
    }
    started = driver.file();
    int code = calls.init();
    if (code == DriverCalls.NO_DEVICE || (code == DriverCalls.SUCCESS && calls.devices() == 0)) {
      throw refused(Reason.NO_DEVICE, driver, code);
    }
    if (code != DriverCalls.SUCCESS) {
      throw refused(Reason.DRIVER_BROKEN, driver, code);
    }
    return version;
  }

  private static CudaUnavailable refused(Reason reason, OpenLibrary driver, int code) {
    return new CudaUnavailable(reason, Map.of("driver", driver.file().toString(), "call", "cuInit", "code", String
      .valueOf(code), "meaning", DriverCalls.meaning(code)));
  }

  private static LoadedCuda bind(CudaSearch search, DynamicLoader loader, Path driver, int version, int devices) {
    Set<String> notes = new LinkedHashSet<>();
    var natives = new NativeFiles(search.cacheFolder(), search.userCache("natives"), loader, notes::add);
    try {
      JcudaNative.DRIVER.load(natives, JcudaNative.LINKED_MAJOR);
    } catch (CacheUnusable e) {
      throw new CudaUnavailable(Reason.CACHE_UNUSABLE, Map.of("fault", e.fault().name(), "folder", e.folder()
        .toString(), "evidence", String.valueOf(e.getMessage())), e);
    } catch (IOException | CannotOpen e) {
      throw new CudaUnavailable(Reason.BINDING_BROKEN, Map.of("driver", driver.toString(), "evidence", String.valueOf(e
        .getMessage())), e);
    }
    var libraries = new LibraryLoading(search, loader, natives, version / 1000, notes::add);
    Optional<CudaLibrary> nvrtc = libraries.load(JcudaNative.NVRTC);
    Optional<CudaLibrary> cublas = libraries.load(JcudaNative.CUBLAS);
    return new LoadedCuda(driver, version, devices, nvrtc, cublas, libraries.refused(), List.copyOf(notes));
  }

  private static void requireSame(CudaSearch search, Path driver) {
    if (search.driver().isPresent() && !isSame(search.driver().get(), driver)) {
      throw alreadyBound(search.driver().get(), driver);
    }
  }

  /** Whether two paths lead to the same file, through any links. */
  private static boolean isSame(Path one, Path other) {
    try {
      return one.equals(other) || Files.isSameFile(one, other);
    } catch (IOException e) {
      return false;
    }
  }

  private static CudaUnavailable alreadyBound(Path asked, Path held) {
    return new CudaUnavailable(Reason.ALREADY_BOUND, Map.of("asked", asked.toString(), "held", held.toString()));
  }
}
