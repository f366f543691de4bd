package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.QuantisedInputs;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.access.HalfStorage;
import dev.cairn.kernels.cpu.quantized.CpuBlockedMatmul;
import dev.cairn.kernels.cpu.quantized.CpuByteTable;
import dev.cairn.kernels.cpu.quantized.CpuDequantize;
import dev.cairn.kernels.cpu.quantized.CpuDynamicQuantize;
import dev.cairn.kernels.cpu.quantized.CpuIntegerConvolution;
import dev.cairn.kernels.cpu.quantized.CpuIntegerMatmul;
import dev.cairn.kernels.cpu.quantized.CpuQuantisedBinary;
import dev.cairn.kernels.cpu.quantized.CpuQuantisedPool;
import dev.cairn.kernels.cpu.quantized.CpuQuantisedSoftmax;
import dev.cairn.kernels.cpu.quantized.CpuQuantize;
import dev.cairn.kernels.cpu.quantized.PackedIntegerMatmul;
import dev.cairn.kernels.cpu.quantized.VectorBlockedMatmul;
import dev.cairn.kernels.cpu.quantized.VectorIntegerConvolution;
import dev.cairn.kernels.cpu.quantized.VectorIntegerMatmul;
import dev.cairn.kernels.cpu.quantized.VectorQuantisedBinary;
import dev.cairn.kernels.cpu.quantized.VectorQuantisedPool;
import dev.cairn.kernels.cpu.quantized.VectorQuantize;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cpu.vector.VectorWidth;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Quantised tensors: to and from them, and their products. To add an operator, add a row. */
public final class QuantisedKernels {
  private static final Set<DType> BYTES = EnumSet.of(DType.INT8, DType.UINT8);
  private static final Set<DType> QUANTISED = EnumSet.of(DType.INT8, DType.UINT8, DType.INT16, DType.UINT16,
    DType.INT32, DType.FLOAT8E4M3FN, DType.FLOAT8E4M3FNUZ, DType.FLOAT8E5M2, DType.FLOAT8E5M2FNUZ, DType.FLOAT4E2M1,
    DType.INT4, DType.UINT4, DType.INT2, DType.UINT2);
  private static final Set<DType> HALVES = EnumSet.of(DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> UNQUANTISED = EnumSet.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.INT32);

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("QuantizeLinear", Twin.PORTABLE, UNQUANTISED, new CpuQuantize()),
    row("DequantizeLinear", Twin.PORTABLE, QUANTISED, new CpuDequantize()),
    row(CpuByteTable.OPERATOR, Twin.PORTABLE, BYTES, new CpuByteTable()),
    row(CpuQuantisedBinary.ADD, Twin.PORTABLE, BYTES, new CpuQuantisedBinary(false)),
    row(CpuQuantisedBinary.MUL, Twin.PORTABLE, BYTES, new CpuQuantisedBinary(true)),
    row(CpuQuantisedPool.AVERAGE, Twin.PORTABLE, BYTES, CpuQuantisedPool.WINDOWS),
    row(CpuQuantisedPool.GLOBAL_AVERAGE, Twin.PORTABLE, BYTES, CpuQuantisedPool.GLOBAL),
    row(CpuQuantisedSoftmax.OPERATOR, Twin.PORTABLE, BYTES, new CpuQuantisedSoftmax()),
    row("MatMulNBits", Twin.PORTABLE, EnumSet.of(DType.FLOAT32), new CpuBlockedMatmul()),
    row("MatMulNBits", Twin.PORTABLE, HALVES, new HalfStorage(new CpuBlockedMatmul())),
    row("DynamicQuantizeLinear", Twin.PORTABLE, EnumSet.of(DType.FLOAT32), new CpuDynamicQuantize()),
    row("MatMulInteger", Twin.PORTABLE, BYTES, new CpuIntegerMatmul(QuantisedInputs.INTEGER)),
    row("MatMulIntegerToFloat", Twin.PORTABLE, BYTES, new CpuIntegerMatmul(QuantisedInputs.TO_FLOAT)),
    row("QLinearMatMul", Twin.PORTABLE, BYTES, new CpuIntegerMatmul(QuantisedInputs.LINEAR)),
    row("ConvInteger", Twin.PORTABLE, BYTES, new CpuIntegerConvolution(QuantisedInputs.INTEGER)),
    row("QLinearConv", Twin.PORTABLE, BYTES, new CpuIntegerConvolution(QuantisedInputs.LINEAR))),
    () -> List.of(row("QuantizeLinear", Twin.VECTOR, EnumSet.of(DType.FLOAT32), VectorQuantize.QUANTIZE),
      row("DequantizeLinear", Twin.VECTOR, BYTES, VectorQuantize.DEQUANTIZE),
      row(CpuQuantisedBinary.ADD, Twin.VECTOR, BYTES, new VectorQuantisedBinary(false)),
      row(CpuQuantisedBinary.MUL, Twin.VECTOR, BYTES, new VectorQuantisedBinary(true)),
      row(CpuQuantisedPool.GLOBAL_AVERAGE, Twin.VECTOR, BYTES, new VectorQuantisedPool()),
      row("MatMulNBits", Twin.VECTOR, EnumSet.of(DType.FLOAT32), new VectorBlockedMatmul()),
      row("MatMulNBits", Twin.VECTOR, HALVES, VectorHalf.storage(new VectorBlockedMatmul())),
      row("DynamicQuantizeLinear", Twin.VECTOR, EnumSet.of(DType.FLOAT32), VectorQuantize.DYNAMIC),
      row("MatMulInteger", Twin.VECTOR, BYTES, new VectorIntegerMatmul(QuantisedInputs.INTEGER)),
      row("MatMulIntegerToFloat", Twin.VECTOR, BYTES, new VectorIntegerMatmul(QuantisedInputs.TO_FLOAT)),
      row("QLinearMatMul", Twin.VECTOR, BYTES, new VectorIntegerMatmul(QuantisedInputs.LINEAR)),
      row("ConvInteger", Twin.VECTOR, BYTES, new VectorIntegerConvolution(QuantisedInputs.INTEGER)),
      row("QLinearConv", Twin.VECTOR, BYTES, new VectorIntegerConvolution(QuantisedInputs.LINEAR))));

  private QuantisedKernels() {}

  /** Products of quantised matrices over a provider's kernel for plain ones of bytes, if one is there. */
  static List<KernelRow> packed(List<KernelRow> rows) {
    if (VectorWidth.bits().isEmpty()) {
      return List.of();
    }
    return rows.stream().filter(row -> row.twin() == Twin.ONEDNN && row.operator().equals("MatMulInteger"))
      .map(KernelRow::kernel).findFirst().map(sums -> List.of( //
        row("MatMulInteger", Twin.ONEDNN, BYTES, new PackedIntegerMatmul(QuantisedInputs.INTEGER, sums)),
        row("MatMulIntegerToFloat", Twin.ONEDNN, BYTES, new PackedIntegerMatmul(QuantisedInputs.TO_FLOAT, sums)),
        row("QLinearMatMul", Twin.ONEDNN, BYTES, new PackedIntegerMatmul(QuantisedInputs.LINEAR, sums))))
      .orElse(List.of());
  }

  private static KernelRow row(String operator, Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
