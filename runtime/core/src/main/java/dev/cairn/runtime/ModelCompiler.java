package dev.cairn.runtime;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Map;

/**
 * Compiles models as a session on a device would, without placing weights or running anything but trials of
 * convolutions, where they are measured: what a run will need can be told before it. Owns the device until closed. Not
 * thread-safe.
 */
public final class ModelCompiler implements AutoCloseable {
  private final Backends.MemorySource memory = Backends.MemorySource.of(new NettySubAllocator());
  private final CpuDevice host = CpuDevice.ofAllProcessors();
  private final DeviceOptions wanted;
  private Backend backend;
  private boolean isSettled;

  private ModelCompiler(DeviceOptions wanted) {
    this.wanted = wanted;
    try {
      this.backend = Backends.open(wanted, Runtime.getRuntime().availableProcessors(), memory);
    } catch (RuntimeException | Error e) {
      host.close();
      throw e;
    }
  }

  /**
   * Opens the device that a session with these options would run on.
   *
   * @throws dev.cairn.kernels.cuda.load.CudaUnavailable when a GPU is required and there is none
   */
  public static ModelCompiler open(DeviceOptions wanted) {
    return new ModelCompiler(wanted);
  }

  /**
   * As {@link Compiler#compile}. Where any device will do, and the GPU has no kernels for the first model, the
   * processor serves from then on, as it does for a session.
   *
   * @param inputs the type of each of the graph's inputs, by name
   * @throws dev.cairn.runtime.graph.InvalidGraph when the graph breaks a rule for these shapes
   * @throws UnsupportedOperators when no kernel of the device serves a node's types: all such nodes at once
   */
  public CompiledGraph compile(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    CompiledGraph compiled;
    try {
      compiled = compileHere(graph, inputs, options);
    } catch (UnsupportedOperators e) {
      if (isSettled) {
        throw e;
      }
      Backend other = Backends.insteadOf(backend, wanted, e, Runtime.getRuntime().availableProcessors(), memory);
      backend.close();
      backend = other;
      compiled = compileHere(graph, inputs, options);
    }
    isSettled = true;
    return compiled;
  }

  private CompiledGraph compileHere(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    return new Compiler(StandardOperators.table(), backend.catalog(), backend.hostCatalog(), host.defaultStream())
      .withBoundResults(isHost()).compile(graph, inputs, options);
  }

  /** Whether kernels read and write the host's memory: then inputs are read where they lie, and results count. */
  public boolean isHost() {
    return backend.target().isHost();
  }

  /** What would run the model, for people. */
  public String device() {
    return backend.description();
  }

  /** Why it is this device, for people. */
  public String deviceReason() {
    return backend.reason();
  }

  /** The kernels of the device. */
  public KernelCatalog catalog() {
    return backend.catalog();
  }

  /** Which kernels serve, for people. */
  public String kernels() {
    return backend.kernels();
  }

  @Override
  public void close() {
    try (host) {
      backend.close();
    }
  }
}
