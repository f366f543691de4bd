package dev.cairn.gpu.model;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaDriver;
import dev.cairn.kernels.cuda.compile.CudaProgram;
import dev.cairn.kernels.cuda.compile.NotPrecompiled;
import dev.cairn.kernels.cuda.compile.PrecompiledKernels;
import dev.cairn.kernels.cuda.load.CudaLibraries;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cli.doctor.Diagnosis;
import dev.cairn.runtime.cli.doctor.Finding;
import dev.cairn.runtime.cli.doctor.HostProbe;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * A process of its own that has a driver and nothing else of CUDA's, and precompiled kernels on its class path: what it
 * does is printed, and its exit code says whether all went well.
 */
final class DriverAlone {
  static final int OTHER_NVRTC = 3;
  private static final int TERMS = 4096;
  private static final int UNSUPPORTED_PTX_VERSION = 222;

  private DriverAlone() {}

  /** @param arguments the driver, a folder with nothing in it, a folder for natives, and the models' names */
  public static void main(String[] arguments) {
    if (LoggerFactory.getLogger(PrecompiledKernels.class) instanceof Logger logger) {
      logger.setLevel(Level.INFO);
    }
    Path nothing = Path.of(arguments[1]);
    CudaSearch search = new CudaSearch(Optional.of(Path.of(arguments[0])), List.of(), Optional.of(Path.of(
      arguments[2])), Map.of(), nothing);
    LoadedCuda loaded = CudaLibraries.load(search);
    if (loaded.nvrtc().isPresent()) {
      System.exit(OTHER_NVRTC);
    }
    if (!CudaUnderTest.isReal()) {
      refuse(loaded);
    }
    DeviceOptions device = DeviceOptions.cuda(0).withRequired(true).withSearch(search);
    for (String name : Arrays.asList(arguments).subList(3, arguments.length)) {
      run(name, device);
      System.out.println("equal: " + name);
    }
    Finding nvrtc = Diagnosis.of(HostProbe.look(search)).findings().stream().filter(it -> it.check().equals("NVRTC"))
      .findFirst().orElseThrow();
    System.out.println("doctor: " + nvrtc.severity() + " " + nvrtc.cause() + " " + nvrtc.evidence());
  }

  private static void refuse(LoadedCuda loaded) {
    Simulator simulator = CudaUnderTest.simulator();
    try (CudaDevice device = CudaDevice.open(CudaDriver.initialize(loaded), 0)) {
      simulator.fail("cuModuleLoadData", 1, UNSUPPORTED_PTX_VERSION);
      try {
        PrecompiledKernels.on(device);
        System.out.println("a refusal was not noticed");
      } catch (CudaUnavailable e) {
        System.out.println("refused: " + e.getMessage());
      }
      try {
        PrecompiledKernels.on(device).compile(CudaProgram.of("new.cu", ""), "sm_90", List.of());
        System.out.println("an unknown source was not noticed");
      } catch (NotPrecompiled e) {
        System.out.println("unknown: " + e.getMessage());
      }
    }
  }

  private static void run(String name, DeviceOptions device) {
    var graph = Zoo.build(name, ZooOptions.DEFAULT);
    Map<String, Tensor> inputs = Models.inputs(graph, 11);
    try (var cpu = Session.of(graph, SessionOptions.DEFAULT);
      var gpu = Session.of(graph, SessionOptions.DEFAULT.withDevice(device));
      Result expected = cpu.run(inputs);
      Result actual = gpu.run(inputs)) {
      for (String output : expected.names()) {
        Tolerance.of(DType.FLOAT32, TERMS).check(output, expected.get(output).view(), actual.get(output).view());
      }
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }
}
