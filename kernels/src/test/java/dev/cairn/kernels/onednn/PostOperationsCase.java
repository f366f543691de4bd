package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.kernels.onednn.Stage.Argument;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A product with one, so that only post-operations change the values. */
final class PostOperationsCase {
  private PostOperationsCase() {}

  /** @param before what the result's memory held */
  static TensorView identity(OneDnnEngine engine, PostOperations after, float[] values, float[] before) {
    var scope = new NativeScope(engine.calls());
    var builder = new ProgramBuilder(scope, engine, Set.of());
    long row = builder.layouts().plain(DType.FLOAT32, 1, values.length);
    long one = builder.layouts().plain(DType.FLOAT32, 1, 1);
    long descriptor = scope.create("primitive_desc", "dnnl_matmul_primitive_desc_create", engine.handle(), one, row, 0L,
      row, builder.attributes(after));
    builder.add(descriptor,
      List.of(new Argument(Stage.SOURCE, one, new OperandPlace.Input(0)), new Argument(Stage.WEIGHTS,
        row, new OperandPlace.Input(1)), new Argument(Stage.RESULT, row, new OperandPlace.Output(0))));
    Program program = builder.build();
    try (Arena arena = Arena.ofShared(); var device = new CpuDevice(1)) {
      TensorView result = native32(Arena.ofAuto(), before);
      MemorySegment workspace = arena.allocate(program.workspaceBytes(), 64);
      var call = new KernelCall(new TensorView[] {native32(arena, 1), native32(arena, values)}, new TensorView[] {
        result}, Attributes.NONE, workspace, device.defaultStream());
      try (var prepared = new PreparedProgram(engine, scope, program, call)) {
        prepared.run();
      }
      return result;
    }
  }

  private static TensorView native32(Arena arena, float... values) {
    var plain = TensorView.ofFloats(Shape.of(1, values.length), values);
    return new TensorView(plain.type(), arena.allocate(plain.type().bytes(), 64).copyFrom(plain.segment()));
  }

  static List<Double> values(TensorView view) {
    List<Double> all = new ArrayList<>();
    for (long i = 0; i < view.elementCount(); i++) {
      all.add(view.doubleAt(i));
    }
    return all;
  }
}
