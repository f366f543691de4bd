package dev.cairn.kernels.cuda.compile;

import dev.cairn.kernels.cuda.load.LoadedCuda;
import java.util.ArrayList;
import java.util.List;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcProgram;
import jcuda.nvrtc.nvrtcResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles CUDA C at run time with NVRTC, which must be loaded together with JCuda's native. No other class calls
 * NVRTC. The result is machine code for the device's architecture, or PTX if this NVRTC is older than the device.
 * Thread-safe.
 */
public final class CudaCompiler implements KernelCompiler {
  private static final Logger LOG = LoggerFactory.getLogger(CudaCompiler.class);

  private final String version;
  private final int driverVersion;
  private final int newestArchitecture;
  private final CompiledKernelCache cache;

  private CudaCompiler(String version, int driverVersion, int newestArchitecture, CompiledKernelCache cache) {
    this.version = version;
    this.driverVersion = driverVersion;
    this.newestArchitecture = newestArchitecture;
    this.cache = cache;
  }

  /**
   * Opens the compiler, which keeps its results in {@code cache}.
   *
   * @param loaded proof that NVRTC is loaded. The cache does not reuse code for another version of the driver
   * @throws IllegalStateException if NVRTC is not loaded
   */
  public static CudaCompiler open(LoadedCuda loaded, CompiledKernelCache cache) {
    if (loaded.nvrtc().isEmpty()) {
      throw new IllegalStateException("NVRTC is not loaded: notes=" + loaded.notes());
    }
    JNvrtc.setExceptionsEnabled(false);
    int[] major = new int[1];
    int[] minor = new int[1];
    CudaProgram none = CudaProgram.of("none", "");
    check(JNvrtc.nvrtcVersion(major, minor), "nvrtcVersion", none, "");
    return new CudaCompiler(major[0] + "." + minor[0], loaded.driverVersion(), newestArchitecture(), cache);
  }

  /** The newest architecture that this NVRTC supports; above all numbers if it does not say. */
  private static int newestArchitecture() {
    int[] count = new int[1];
    if (JNvrtc.nvrtcGetNumSupportedArchs(count) != 0 || count[0] < 1) {
      return Integer.MAX_VALUE;
    }
    int[] all = new int[count[0]];
    return JNvrtc.nvrtcGetSupportedArchs(all) == 0 ? all[all.length - 1] : Integer.MAX_VALUE;
  }

  /** NVRTC's version, {@code 12.6}. */
  public String version() {
    return version;
  }

  @Override
  public boolean compilesAnything() {
    return true;
  }

  @Override
  public byte[] compile(CudaProgram source, String architecture, List<String> options) {
    int wanted = Integer.parseInt(architecture.substring("sm_".length()));
    boolean known = wanted <= newestArchitecture;
    List<String> all = new ArrayList<>(options);
    all.add("--gpu-architecture=" + (known ? architecture : "compute_" + newestArchitecture));
    List<String> parts = new ArrayList<>(List.of("nvrtc " + version, "driver " + driverVersion, source.name()));
    parts.addAll(all);
    parts.add(source.text());
    source.headers().forEach((name, text) -> {
      parts.add(name);
      parts.add(text);
    });
    return cache.get(CompiledKernelCache.key(parts), () -> compile(source, all, known));
  }

  private static byte[] compile(CudaProgram source, List<String> options, boolean toMachineCode) {
    long began = System.nanoTime();
    nvrtcProgram program = new nvrtcProgram();
    String[] names = source.headers().keySet().toArray(String[]::new);
    String[] texts = source.headers().values().toArray(String[]::new);
    check(JNvrtc.nvrtcCreateProgram(program, source.text(), source.name(), names.length, texts, names),
      "nvrtcCreateProgram", source, "");
    try {
      int code = JNvrtc.nvrtcCompileProgram(program, options.size(), options.toArray(String[]::new));
      String log = log(program);
      check(code, "nvrtcCompileProgram", source, log);
      if (!log.isBlank()) {
        LOG.debug("compiler has something to say: source={} log={}", source.name(), log.strip());
      }
      return toMachineCode ? machineCode(program, source) : ptx(program, source);
    } finally {
      JNvrtc.nvrtcDestroyProgram(program);
      LOG.debug("compiled: source={} options={} micros={}", source.name(), options,
        (System.nanoTime() - began) / 1000);
    }
  }

  private static byte[] machineCode(nvrtcProgram program, CudaProgram source) {
    long[] bytes = new long[1];
    check(JNvrtc.nvrtcGetCUBINSize(program, bytes), "nvrtcGetCUBINSize", source, "");
    byte[] code = new byte[Math.toIntExact(bytes[0])];
    check(JNvrtc.nvrtcGetCUBIN(program, code), "nvrtcGetCUBIN", source, "");
    return code;
  }

  private static byte[] ptx(nvrtcProgram program, CudaProgram source) {
    String[] text = new String[1];
    check(JNvrtc.nvrtcGetPTX(program, text), "nvrtcGetPTX", source, "");
    return text[0].getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  private static String log(nvrtcProgram program) {
    String[] log = new String[1];
    return JNvrtc.nvrtcGetProgramLog(program, log) == 0 && log[0] != null ? log[0].replace("\0", "") : "";
  }

  private static void check(int code, String call, CudaProgram source, String log) {
    if (code != 0) {
      throw new CompileFailure(call, code, nvrtcResult.stringFor(code), source, log);
    }
  }
}
