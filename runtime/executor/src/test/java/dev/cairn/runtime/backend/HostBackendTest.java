package dev.cairn.runtime.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.KernelProvider;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a backend was given is closed when the backend cannot be made. */
class HostBackendTest {
  private final List<String> closed = new ArrayList<>();

  /** A library whose kernels these are. */
  private KernelProvider provider(Supplier<List<KernelRow>> rows) {
    return new KernelProvider() {
      @Override
      public String description() {
        return "library";
      }

      @Override
      public List<KernelRow> rows() {
        return rows.get();
      }

      @Override
      public void close() {
        closed.add("library");
      }
    };
  }

  @Test
  void theKernelsAreClosedWhenTheThreadsCannotBeMade() {
    ProcessorKernels kernels = ProcessorKernels.open(Wanted.ONEDNN, _ -> provider(List::of), 1);
    assertThatThrownBy(() -> new HostBackend(0, new NettySubAllocator(), "as asked for", kernels)).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("threads=0");
    assertThat(closed).containsExactly("library");
  }

  @Test
  void aLibraryIsClosedWhoseKernelsMakeNoCatalog() {
    assertThatThrownBy(() -> ProcessorKernels.open(Wanted.ONEDNN, _ -> provider(() -> {
      throw new IllegalStateException("planted");
    }), 1)).hasMessage("planted");
    assertThat(closed).containsExactly("library");
  }
}
