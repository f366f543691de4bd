package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * The layout of a packed constant, apart from any scope. oneDNN's descriptors have bytes that it leaves undefined, so
 * only oneDNN can compare two layouts ({@link #isSameAs}).
 *
 * @param from the constant's own layout: oneDNN's descriptor, as bytes
 * @param to the packed layout
 * @param bytes of the packed constant
 */
record PackedLayout(ByteBuffer from, ByteBuffer to, long bytes) {
  static PackedLayout of(NativeScope scope, long from, long to) {
    return new PackedLayout(blob(scope, from), blob(scope, to), new Layouts(scope, DType.UINT8).bytes(to));
  }

  private static ByteBuffer blob(NativeScope scope, long layout) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(JAVA_LONG);
      scope.calls().call("dnnl_memory_desc_get_blob", 0L, size.address(), layout);
      MemorySegment blob = arena.allocate(size.get(JAVA_LONG, 0));
      scope.calls().call("dnnl_memory_desc_get_blob", blob.address(), size.address(), layout);
      return ByteBuffer.wrap(blob.toArray(JAVA_BYTE)).asReadOnlyBuffer();
    }
  }

  boolean isSameAs(PackedLayout other, OneDnnCalls calls) {
    try (var scope = new NativeScope(calls)) {
      var layouts = new Layouts(scope, DType.UINT8);
      return bytes == other.bytes && layouts.areEqual(described(scope, from), described(scope, other.from))
        && layouts.areEqual(described(scope, to), described(scope, other.to));
    }
  }

  private static long described(NativeScope scope, ByteBuffer blob) {
    byte[] bytes = new byte[blob.remaining()];
    blob.duplicate().get(bytes);
    try (Arena arena = Arena.ofConfined()) {
      return scope.create("memory_desc", "dnnl_memory_desc_create_with_blob", arena.allocateFrom(JAVA_BYTE, bytes)
        .address());
    }
  }

  Packing packing(OneDnnEngine engine) {
    return new Packing(TensorType.of(DType.UINT8, bytes), new Writer(engine, this));
  }

  /** Packs. */
  private record Writer(OneDnnEngine engine, PackedLayout layout) implements Kernel {
    /** From here on, several threads pack faster than one. */
    private static final long LARGE_BYTES = 16 << 20;

    @Override
    public void run(KernelCall call) {
      OneDnnEngine fitting = fitting();
      var scope = new NativeScope(fitting.calls());
      Program program;
      try {
        program = program(scope, fitting);
      } catch (RuntimeException | Error e) {
        scope.close();
        throw e;
      }
      try (var once = new PreparedProgram(fitting, scope, program, call)) {
        once.run();
      }
    }

    @Override
    public long workspaceBytes(KernelSignature signature) {
      try (var scope = new NativeScope(engine.calls())) {
        return program(scope, fitting()).workspaceBytes();
      }
    }

    /** While a model is opened, other threads compile Java code, and a second one seldom gets a processor. */
    private OneDnnEngine fitting() {
      return layout.bytes < LARGE_BYTES ? engine.onOneThread() : engine;
    }

    private Program program(NativeScope scope, OneDnnEngine engine) {
      var builder = new ProgramBuilder(new Layouts(scope.with(engine.calls()), DType.UINT8), engine, Set.of(), _ -> 0);
      long to = described(scope, layout.to());
      var target = new Stage.Argument(Stage.RESULT, to, new OperandPlace.Output(0));
      builder.reorder(described(scope, layout.from()), new OperandPlace.Input(0), target);
      return builder.build();
    }

    /** Packings that write the same bytes are equal: a session stores the constant once for all of them. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Writer that && engine.equals(that.engine) && layout.isSameAs(that.layout, engine.calls());
    }

    @Override
    public int hashCode() {
      return Long.hashCode(layout.bytes);
    }
  }
}
