package dev.cairn.runtime.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.cuda.load.CacheReport;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import dev.cairn.kernels.cuda.load.FoundCudnn;
import dev.cairn.kernels.cuda.load.RefusedLibrary.Why;
import dev.cairn.kernels.load.CacheFault;
import dev.cairn.runtime.cli.doctor.JavaFacts.NativeAccess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every fault shown to every check: the one that it is for tells it, with cause, evidence and remedy. */
class DiagnosisTest {

  /** The only finding that is not as it should be, or skipped for its sake. */
  private static Finding only(Host host) {
    List<Finding> found = Diagnosis.of(host).findings().stream().filter(it -> it.severity().compareTo(
      Severity.NOTE) >= 0).toList();
    assertThat(found).hasSize(1);
    Finding finding = found.getFirst();
    assertThat(finding.cause()).isNotBlank();
    assertThat(finding.evidence()).isNotBlank();
    assertThat(finding.remedy()).isNotBlank();
    return finding;
  }

  private static void assertTells(Host host, Severity severity, String check, String cause, String evidence,
    String remedy) {
    Finding finding = only(host);
    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.check()).isEqualTo(check);
    assertThat(finding.cause()).contains(cause);
    assertThat(finding.evidence()).contains(evidence);
    assertThat(finding.remedy()).contains(remedy);
    assertThat(Diagnosis.of(host).worst()).isEqualTo(finding);
    assertThat(Diagnosis.of(host).hasGpu()).isEqualTo(severity.compareTo(Severity.NO_GPU) < 0);
    assertThat(Diagnosis.of(host).runs()).isEqualTo(severity != Severity.NOTHING_RUNS);
  }

  @Test
  void nothingIsWrongWithAHealthyMachine() {
    Diagnosis diagnosis = Diagnosis.of(Hosts.healthy());
    assertThat(diagnosis.findings()).extracting(Finding::severity).containsOnly(Severity.FINE);
    assertThat(diagnosis.hasGpu()).isTrue();
    assertThat(diagnosis.runs()).isTrue();
  }

  @Test
  void compactObjectHeadersWithoutTheFix() {
    for (String version : new String[] {"25.0.3", "25.0.9", "26.0.1"}) {
      assertTells(compactHeaders(version), Severity.LOSS, "object headers", "JDK-8380060",
        "-XX:+UseCompactObjectHeaders version=" + version, "-XX:-UseCompactObjectHeaders");
    }
    assertThat(Diagnosis.of(compactHeaders("27")).worst().severity()).isEqualTo(Severity.FINE);
  }

  private static Host compactHeaders(String version) {
    JavaFacts java = Hosts.java(version, "amd64", NativeAccess.ENABLED);
    return Hosts.with(new JavaFacts(java.version(), java.vendor(), java.system(), java.architecture(), java
      .nativeAccess(), true));
  }

  @Test
  void flagsAreAskedOfTheJvmItself() {
    assertThat(HostProbe.isOn("UseCompactObjectHeaders")).as("no JVM of the build runs with it").isFalse();
    assertThat(HostProbe.isOn("UseCompressedOops")).isTrue();
    assertThat(HostProbe.isOn("NoSuchFlag")).isFalse();
    assertThat(HostProbe.look(CudaSearch.of(Map.of("CAIRN_CUDA_DRIVER", "/no/such"))).java().compactHeaders())
      .isFalse();
  }

  @Test
  void noDriver() {
    assertTells(Hosts.without(Reason.NO_DRIVER, Map.of("name", "libcuda.so.1")), Severity.NO_GPU, "driver",
      "no NVIDIA driver", "name=libcuda.so.1 kernel module=none", "install NVIDIA's driver 525");
  }

  @Test
  void driverTooOld() {
    assertTells(Hosts.without(Reason.DRIVER_TOO_OLD, Map.of("version", "11080")), Severity.NO_GPU, "driver", "too old",
      "version=11080", "update");
  }

  @Test
  void driverThatFindsNoGpu() {
    assertTells(Hosts.without(Reason.NO_DEVICE, Map.of("code", "100")), Severity.NO_GPU, "driver", "finds no GPU",
      "code=100", "CUDA_VISIBLE_DEVICES");
  }

  @Test
  void onlyCuda13ThatTheDriverServes() {
    Host host = Hosts.healthy().withCuda(Hosts.cuda(Hosts.library("libnvrtc", 12), Hosts.library("libcublas", 13), List
      .of()));
    assertTells(host, Severity.NOTE, "cuBLAS", "only CUDA 13's", "libcublas.so.13", "optional");
  }

  @Test
  void onlyCuda13ThatTheDriverDoesNotServe() {
    Host host = Hosts.healthy().withCuda(Hosts.cuda(Optional.empty(), Hosts.library("libcublas", 12), List.of(Hosts
      .refused("libnvrtc", 13, Why.NEWER_THAN_DRIVER, "it needs a driver for CUDA 13"))));
    assertTells(host, Severity.NO_GPU, "NVRTC", "later CUDA", "libnvrtc.so.13 (CUDA_HOME): it needs", "580");
  }

  @Test
  void cudnnIsAGainAndItsLackNoLoss() {
    Finding found = cudnn(Hosts.healthy());
    assertThat(found.severity()).isEqualTo(Severity.FINE);
    assertThat(found.cause()).contains("9.10.2, of CUDA 12");
    Host without = Hosts.with(CudaFacts.NO_CUDNN);
    assertTells(without, Severity.NOTE, "cuDNN", "is missing: convolutions run on Cairn's own kernels",
      "no libcudnn.so.9", "pip install nvidia-cudnn-cu12");
    Host refused = Hosts.with(new FoundCudnn(Optional.empty(), List.of(Hosts.refused("libcudnn", 13, Why.OTHER_CUDA,
      "it calls cuBLAS of CUDA 13")), List.of("an odd thing")));
    assertTells(refused, Severity.NOTE, "cuDNN", "cannot be used", "it calls cuBLAS of CUDA 13; an odd thing",
      "optional");
    assertThat(cudnn(Hosts.without(Reason.NO_DRIVER, Map.of())).severity()).isEqualTo(Severity.SKIPPED);
  }

  private static Finding cudnn(Host host) {
    return Diagnosis.of(host).findings().stream().filter(it -> it.check().equals("cuDNN")).findFirst().orElseThrow();
  }

  @Test
  void cublasMissing() {
    Host host = Hosts.healthy().withCuda(Hosts.cuda(Hosts.library("libnvrtc", 12), Optional.empty(), List.of()));
    assertTells(host, Severity.LOSS, "cuBLAS", "is missing: matrix products", "libcublas.so.12 or .13",
      "pip install nvidia-cublas-cu12");
  }

  @Test
  void nvrtcMissing() {
    Host host = Hosts.healthy().withCuda(Hosts.cuda(Optional.empty(), Hosts.library("libcublas", 12), List.of()));
    assertTells(host, Severity.NO_GPU, "NVRTC", "is missing: kernels cannot be compiled", "libnvrtc.so.12 or .13",
      "pip install nvidia-cuda-nvrtc-cu12");
  }

  @Test
  void nvrtcMissingWhereKernelsWereCompiledAtBuildTime() {
    assertTells(Hosts.with(new PrecompiledFacts(8, "made=nvcc 13.0.88")), Severity.LOSS, "NVRTC",
      "is missing: 8 families of kernels compiled at build time serve, fusion is off", "made=nvcc 13.0.88",
      "pip install nvidia-cuda-nvrtc-cu12");
  }

  @Test
  void nvrtcMissingWhereTheDriverRefusesWhatWasCompiled() {
    assertTells(Hosts.with(new PrecompiledFacts(0, "evidence=CUDA_ERROR_UNSUPPORTED_PTX_VERSION")), Severity.NO_GPU,
      "NVRTC", "is missing: kernels cannot be compiled", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
      "pip install nvidia-cuda-nvrtc-cu12");
  }

  @Test
  void libraryThatCannotBeLoaded() {
    Host host = Hosts.healthy().withCuda(Hosts.cuda(Optional.empty(), Hosts.library("libcublas", 12), List.of(Hosts
      .refused("libnvrtc", 12, Why.NOT_LOADABLE, "file too short"))));
    assertTells(host, Severity.NO_GPU, "NVRTC", "cannot be loaded", "file too short", "install it again");
  }

  @Test
  void corruptCacheFile() {
    CacheReport cache = Hosts.cache(Optional.empty(), "", List.of(Path.of("/cache/ab/libJNvrtc.so")));
    assertTells(Hosts.with(cache, false), Severity.NOTE, "cached natives", "1 of the cached natives is damaged",
      "/cache/ab/libJNvrtc.so", "replaces");
  }

  @ParameterizedTest
  @EnumSource(CacheFault.class)
  void cacheUnusable(CacheFault fault) {
    CacheReport cache = Hosts.cache(Optional.of(fault), "mode=777", List.of());
    assertTells(Hosts.with(cache, false), Severity.LOSS, "native cache", fault.words(), "mode=777",
      "until then each start");
    assertTells(Hosts.with(cache, true), Severity.NO_GPU, "native cache", fault.words(), "folder=/home/ann",
      "or set no folder");
  }

  @Test
  void noHomeForTheCache() {
    CacheReport cache = new CacheReport(Optional.empty(), Optional.empty(), "", 0, List.of());
    assertTells(Hosts.with(cache, false), Severity.NOTE, "native cache", "no folder", "HOME", "set HOME");
  }

  @Test
  void wrongArchitecture() {
    Host host = Hosts.with(Hosts.java("25.0.3", "aarch64", NativeAccess.ENABLED)).withCuda(Hosts.without(
      Reason.WRONG_PLATFORM, Map.of()).cuda());
    assertTells(host, Severity.NO_GPU, "platform", "no GPU support", "architecture=aarch64", "x86-64");
  }

  @Test
  void libraryForAnotherArchitecture() {
    Host host = Hosts.healthy().withCuda(Hosts.cuda(Hosts.library("libnvrtc", 12), Optional.empty(), List.of(Hosts
      .refused("libcublas", 12, Why.WRONG_ARCHITECTURE, "it is for aarch64"))));
    assertTells(host, Severity.LOSS, "cuBLAS", "another processor", "it is for aarch64", "pip install");
  }

  @Test
  void javaTooOld() {
    for (String old : List.of("25.0.2", "25", "21.0.9", "25-ea")) {
      assertTells(Hosts.with(Hosts.java(old, "amd64", NativeAccess.ENABLED)), Severity.NOTHING_RUNS, "Java",
        "older than 25.0.3", "version=" + old, "CAIRN_JAVA_HOME");
    }
    for (String young : List.of("25.0.3+9-LTS", "25.0.10", "26", "26-ea+5")) {
      assertThat(Diagnosis.of(Hosts.with(Hosts.java(young, "amd64", NativeAccess.ENABLED))).runs()).isTrue();
    }
  }

  @Test
  void noNativeAccess() {
    Host host = Hosts.with(Hosts.java("25.0.3", "amd64", NativeAccess.DENIED)).withCuda(Hosts.without(
      Reason.NO_NATIVE_ACCESS, Map.of()).cuda());
    assertTells(host, Severity.NO_GPU, "native access", "may not load", "deny", "--enable-native-access");
    assertTells(Hosts.with(Hosts.java("25.0.3", "amd64", NativeAccess.WITH_A_WARNING)), Severity.LOSS, "native access",
      "warns", "not enabled", "--enable-native-access");
  }

  @Test
  void brokenCudaHome() {
    assertTells(Hosts.with(new ToolkitVariable("CUDA_HOME", "/opt/gone", "no such folder")), Severity.LOSS,
      "CUDA_HOME", "CUDA_HOME leads nowhere", "CUDA_HOME=/opt/gone (no such folder)", "unset CUDA_HOME");
    assertThat(Diagnosis.of(Hosts.with(new ToolkitVariable("CUDA_PATH", "/opt/cuda", ""))).findings()).extracting(
      Finding::severity).containsOnly(Severity.FINE);
  }

  @Test
  void noDeviceMemoryLeft() {
    assertTells(Hosts.with(Hosts.gpu(0, 100 << 20, ""), Hosts.gpu(1, 0, "")), Severity.NO_GPU, "device memory",
      "no GPU has memory left", "cuda:0 100.0 MiB of 139.0 GiB free", "nvidia-smi");
    assertTells(Hosts.with(Hosts.gpu(0, 0, "cuDevicePrimaryCtxRetain failed: code=2")), Severity.NO_GPU,
      "device memory", "no GPU can be used", "code=2", "nvidia-smi");
  }

  @Test
  void oneGpuOfTwo() {
    assertThat(Diagnosis.of(Hosts.with(Hosts.gpu(0, 0, ""), Hosts.gpu(1, Hosts.GIB, ""))).hasGpu()).isTrue();
    assertTells(Hosts.with(Hosts.gpu(0, 0, "busy"), Hosts.gpu(1, Hosts.GIB, "")), Severity.LOSS, "device memory",
      "not every GPU", "cuda:0 busy", "nvidia-smi");
  }

  /** Whatever stops the driver, there is an answer for it. */
  @ParameterizedTest
  @EnumSource(value = Reason.class, mode = EnumSource.Mode.EXCLUDE, names = {"WRONG_PLATFORM", "NO_NATIVE_ACCESS"})
  void everyReasonHasARemedy(Reason reason) {
    assertTells(Hosts.without(reason, Map.of("seen", "this")), Severity.NO_GPU, "driver", reason.words(), "seen=this",
      "");
  }

  @Test
  void kernelsThatAreMissingAreALoss() {
    assertTells(Hosts.with(new KernelFacts("vector 256 bit, portable", Optional.of("oneDNN: it was removed"))),
      Severity.LOSS, "kernels", "vector 256 bit, portable", "it was removed", "glibc");
  }

  @Test
  void theFirstOfTheGravestIsTold() {
    Host host = Hosts.without(Reason.NO_DRIVER, Map.of());
    var all = new Host(Hosts.java("21", "aarch64", NativeAccess.DENIED), Hosts.cache(Optional.of(
      CacheFault.NOT_WRITABLE), "", List.of()), true, List.of(), host.cuda(), host.kernels());
    assertThat(Diagnosis.of(all).worst().check()).isEqualTo("Java");
    var without = new Host(Hosts.healthy().java(), all.cache(), true, List.of(), host.cuda(), host.kernels());
    assertThat(Diagnosis.of(without).worst().check()).isEqualTo("native cache");
  }

  @Test
  void aFaultWithoutARemedyIsAFaultOfOurs() {
    assertThatThrownBy(() -> new Finding(Severity.LOSS, "x", "cause", "evidence", " ")).isInstanceOf(
      AssertionError.class);
  }
}
