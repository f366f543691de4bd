package dev.cairn.kernels.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;

/**
 * Calls of the driver on nodes of graphs, without JCuda. JCuda 12.6.0 passes an uninitialised capacity to {@code
 * cuGraphGetNodes}, and the driver then writes that many entries. This class finds the loaded driver by its name.
 */
final class GraphNodeCalls {
  private static final int KERNEL = 0;
  /** {@code CUDA_KERNEL_NODE_PARAMS_v2}: function, seven numbers, a gap, arguments, and three that stay zero. */
  private static final long PARAMETERS_BYTES = 72;
  private static final long ARGUMENTS_OFFSET = 40;

  private static final MethodHandle GET_NODES = link("cuGraphGetNodes", JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle GET_TYPE = link("cuGraphNodeGetType", JAVA_LONG, ADDRESS);
  private static final MethodHandle SET_PARAMETERS = link("cuGraphExecKernelNodeSetParams_v2", JAVA_LONG, JAVA_LONG,
    ADDRESS);

  private GraphNodeCalls() {}

  /** A graph with access to its handle. */
  static final class Graph extends CUgraph {
    long handle() {
      return getNativePointer();
    }
  }

  /** An executable graph with access to its handle. */
  static final class Executable extends CUgraphExec {
    long handle() {
      return getNativePointer();
    }
  }

  /** A kernel with access to its handle. */
  static final class Function extends CUfunction {
    long handle() {
      return getNativePointer();
    }
  }

  private static MethodHandle link(String function, MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(SymbolLookup.libraryLookup("libcuda.so.1", Arena.global()).findOrThrow(
      function), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** The handles of the graph's kernels, in the order in which the driver lists nodes. */
  static List<Long> kernels(Graph graph) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_LONG);
      CudaDriver.check((int) GET_NODES.invokeExact(graph.handle(), MemorySegment.NULL, count), "cuGraphGetNodes");
      long nodes = count.get(JAVA_LONG, 0);
      MemorySegment handles = arena.allocate(JAVA_LONG, Math.max(1, nodes));
      CudaDriver.check((int) GET_NODES.invokeExact(graph.handle(), handles, count), "cuGraphGetNodes");
      MemorySegment type = arena.allocate(JAVA_INT);
      List<Long> kernels = new ArrayList<>();
      for (long i = 0; i < nodes; i++) {
        long node = handles.getAtIndex(JAVA_LONG, i);
        CudaDriver.check((int) GET_TYPE.invokeExact(node, type), "cuGraphNodeGetType");
        if (type.get(JAVA_INT, 0) == KERNEL) {
          kernels.add(node);
        }
      }
      return kernels;
    } catch (CudaFailure e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("nodes of a graph can't be asked for", e);
    }
  }

  /** Changes the shape and arguments of one kernel of an executable graph. The driver copies the arguments. */
  static void setParameters(Executable executable, long node, Function kernel, LaunchShape shape,
    MemorySegment arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = arena.allocate(PARAMETERS_BYTES, Long.BYTES);
      parameters.set(JAVA_LONG, 0, kernel.handle());
      int[] numbers = {shape.gridX(), shape.gridY(), shape.gridZ(), shape.blockX(), shape.blockY(), shape.blockZ(),
        shape.sharedBytes()};
      MemorySegment.copy(numbers, 0, parameters, JAVA_INT, Long.BYTES, numbers.length);
      parameters.set(ADDRESS, ARGUMENTS_OFFSET, arguments);
      CudaDriver.check((int) SET_PARAMETERS.invokeExact(executable.handle(), node, parameters),
        "cuGraphExecKernelNodeSetParams");
    } catch (CudaFailure e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a node of a graph can't be set", e);
    }
  }
}
