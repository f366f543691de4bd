package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.cuda.load.CacheReport;
import dev.cairn.kernels.cuda.load.CudaLibrary;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.CudnnLibrary;
import dev.cairn.kernels.cuda.load.FoundCudnn;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.kernels.cuda.load.RefusedLibrary;
import dev.cairn.kernels.load.CacheFault;
import dev.cairn.runtime.cli.doctor.JavaFacts.NativeAccess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A machine on which all is well, and the same with one fault. */
final class Hosts {
  static final long GIB = 1L << 30;
  private static final Path CACHE = Path.of("/home/ann/.cache/cairn/natives");

  private Hosts() {}

  static Host healthy() {
    return new Host(java("25.0.3", "amd64", NativeAccess.ENABLED), cache(Optional.empty(), "", List.of()), false, List
      .of(), cuda(library("libnvrtc", 12), library("libcublas", 12), List.of()),
      new KernelFacts("oneDNN 3.11 on avx2, portable", Optional.empty()));
  }

  /** Without oneDNN. */
  static Host with(KernelFacts kernels) {
    Host host = healthy();
    return new Host(host.java(), host.cache(), false, host.toolkits(), host.cuda(), kernels);
  }

  static JavaFacts java(String version, String architecture, NativeAccess access) {
    return new JavaFacts(Runtime.Version.parse(version), "Eclipse Adoptium", "Linux", architecture, access, false);
  }

  static Host with(JavaFacts java) {
    Host host = healthy();
    return new Host(java, host.cache(), false, host.toolkits(), host.cuda(), host.kernels());
  }

  static CacheReport cache(Optional<CacheFault> fault, String evidence, List<Path> damaged) {
    return new CacheReport(Optional.of(CACHE), fault, evidence, 3, damaged);
  }

  static Host with(CacheReport cache, boolean askedFor) {
    Host host = healthy();
    return new Host(host.java(), cache, askedFor, host.toolkits(), host.cuda(), host.kernels());
  }

  static Host with(ToolkitVariable... toolkits) {
    Host host = healthy();
    return new Host(host.java(), host.cache(), false, List.of(toolkits), host.cuda(), host.kernels());
  }

  static Host without(CudaUnavailable.Reason reason, Map<String, String> facts) {
    return healthy().withCuda(new CudaFacts(Optional.empty(), Optional.of(new CudaUnavailable(reason, facts)), Optional
      .empty(), List.of(), PrecompiledFacts.NOT_NEEDED, CudaFacts.NO_CUDNN));
  }

  static Optional<CudaLibrary> library(String name, int major) {
    return Optional.of(new CudaLibrary(Path.of("/usr/local/cuda/lib64", name + ".so." + major), major, "CUDA_HOME"));
  }

  static RefusedLibrary refused(String name, int major, RefusedLibrary.Why why, String evidence) {
    return new RefusedLibrary(Path.of("/usr/local/cuda/lib64", name + ".so." + major), major, "CUDA_HOME", why,
      evidence);
  }

  static CudaFacts cuda(Optional<CudaLibrary> nvrtc, Optional<CudaLibrary> cublas, List<RefusedLibrary> refused) {
    return cuda(nvrtc, cublas, refused, gpu(0, 80 * GIB, ""));
  }

  static CudaFacts cuda(Optional<CudaLibrary> nvrtc, Optional<CudaLibrary> cublas, List<RefusedLibrary> refused,
    GpuFacts... gpus) {
    var loaded = new LoadedCuda(Path.of("/usr/lib/libcuda.so.1"), 12060, gpus.length, nvrtc, cublas, refused, List
      .of());
    return new CudaFacts(Optional.of(loaded), Optional.empty(), Optional.of("NVRM version: 560"), List.of(gpus),
      PrecompiledFacts.NOT_NEEDED, cudnn(12));
  }

  /** cuDNN, made for that CUDA. */
  static FoundCudnn cudnn(int cudaMajor) {
    return new FoundCudnn(Optional.of(new CudnnLibrary(Path.of("/usr/lib/libcudnn.so.9"), 91002, cudaMajor,
      "dynamic loader")), List.of(), List.of());
  }

  static Host with(FoundCudnn cudnn) {
    CudaFacts cuda = healthy().cuda();
    return healthy().withCuda(new CudaFacts(cuda.loaded(), Optional.empty(), cuda.kernelModule(), cuda.devices(), cuda
      .precompiled(), cudnn));
  }

  static Host with(GpuFacts... gpus) {
    return healthy().withCuda(cuda(library("libnvrtc", 12), library("libcublas", 12), List.of(), gpus));
  }

  static GpuFacts gpu(int index, long freeBytes, String failure) {
    return new GpuFacts(index, "NVIDIA H200", "9.0", 139 * GIB, freeBytes, failure);
  }

  /** Without NVRTC, and with what was compiled at build time. */
  static Host with(PrecompiledFacts precompiled) {
    CudaFacts cuda = cuda(Optional.empty(), library("libcublas", 12), List.of());
    return healthy().withCuda(new CudaFacts(cuda.loaded(), Optional.empty(), cuda.kernelModule(), cuda.devices(),
      precompiled, cuda.cudnn()));
  }
}
