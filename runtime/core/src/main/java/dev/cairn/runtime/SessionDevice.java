package dev.cairn.runtime;

import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.backend.HostBackend;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which device a session runs on: the one asked for, or where any will do the GPU, and the processor for a model that
 * the GPU has no kernels for, which is said once.
 */
final class SessionDevice {
  private static final Logger LOG = LoggerFactory.getLogger(SessionDevice.class);

  private SessionDevice() {}

  /** @param source of the host's memory */
  static Session open(Graph graph, SessionOptions options, SubAllocator source) {
    DeviceOptions wanted = deviceFor(options);
    Backend backend = Backends.open(wanted, options.threadsOfKernel(), source);
    if (!mayBeAnother(wanted, backend)) {
      return Session.on(graph, options, backend);
    }
    try {
      return Session.on(graph, options, backend);
    } catch (UnsupportedOperators e) {
      return Session.on(graph, options, processorInstead(e, options.threadsOfKernel(), source));
    }
  }

  /** One plan for all shapes has room for the scratch memory of the largest; cuDNN may want more for a smaller one. */
  private static DeviceOptions deviceFor(SessionOptions options) {
    return options.largestShapes().isEmpty()
      ? options.device()
      : options.device().withConvolutions(DeviceOptions.Convolutions.OWN);
  }

  /** Whether the processor may serve instead of the device that was opened. */
  static boolean mayBeAnother(DeviceOptions wanted, Backend opened) {
    return wanted.kind() == DeviceOptions.Kind.AUTO && !wanted.required() && !opened.target().isHost();
  }

  /**
   * The processor, for a model that the GPU has no kernels for.
   *
   * @param threads that one kernel may use
   * @param source of the host's memory
   */
  static Backend processorInstead(UnsupportedOperators lack, int threads, SubAllocator source) {
    LOG.warn("the GPU has no kernels for this model, so the processor serves: {}", lack.getMessage());
    return new HostBackend(threads, source, "the GPU lacks kernels");
  }
}
