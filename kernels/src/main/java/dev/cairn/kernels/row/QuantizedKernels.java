package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.QuantizedInputs;
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
import dev.cairn.kernels.cpu.quantized.CpuQuantize;
import dev.cairn.kernels.cpu.quantized.CpuQuantizedBinary;
import dev.cairn.kernels.cpu.quantized.CpuQuantizedPool;
import dev.cairn.kernels.cpu.quantized.CpuQuantizedSoftmax;
import dev.cairn.kernels.cpu.quantized.PackedIntegerMatmul;
import dev.cairn.kernels.cpu.quantized.VectorBlockedMatmul;
import dev.cairn.kernels.cpu.quantized.VectorIntegerConvolution;
import dev.cairn.kernels.cpu.quantized.VectorIntegerMatmul;
import dev.cairn.kernels.cpu.quantized.VectorQuantize;
import dev.cairn.kernels.cpu.quantized.VectorQuantizedBinary;
import dev.cairn.kernels.cpu.quantized.VectorQuantizedPool;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cpu.vector.VectorWidth;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.quantized.CudaByteTable;
import dev.cairn.kernels.cuda.quantized.CudaIntegerConvolution;
import dev.cairn.kernels.cuda.quantized.CudaIntegerMatmul;
import dev.cairn.kernels.cuda.quantized.CudaQuantize;
import dev.cairn.kernels.cuda.quantized.CudaQuantize.Way;
import dev.cairn.kernels.cuda.quantized.CudaQuantizedBinary;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Quantised tensors: to and from them, and their products. To add an operator, add a row. */
public final class QuantizedKernels {
  private static final Set<DType> BYTES = EnumSet.of(DType.INT8, DType.UINT8);
  private static final Set<DType> QUANTIZED = EnumSet.of(DType.INT8, DType.UINT8, DType.INT16, DType.UINT16,
    DType.INT32, DType.FLOAT8E4M3FN, DType.FLOAT8E4M3FNUZ, DType.FLOAT8E5M2, DType.FLOAT8E5M2FNUZ, DType.FLOAT4E2M1,
    DType.INT4, DType.UINT4, DType.INT2, DType.UINT2);
  private static final Set<DType> HALVES = EnumSet.of(DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> UNQUANTIZED = EnumSet.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.INT32);

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("QuantizeLinear", Twin.PORTABLE, UNQUANTIZED, new CpuQuantize())
      .withoutCuda("not written yet for inputs of other types than float32"),
    row("DequantizeLinear", Twin.PORTABLE, QUANTIZED, new CpuDequantize()),
    row(CpuByteTable.OPERATOR, Twin.PORTABLE, BYTES, new CpuByteTable()),
    row(CpuQuantizedBinary.ADD, Twin.PORTABLE, BYTES, new CpuQuantizedBinary(false)),
    row(CpuQuantizedBinary.MUL, Twin.PORTABLE, BYTES, new CpuQuantizedBinary(true)),
    row(CpuQuantizedPool.AVERAGE, Twin.PORTABLE, BYTES, CpuQuantizedPool.WINDOWS).withoutCuda(KernelRow.NO_CUDA_YET),
    row(CpuQuantizedPool.GLOBAL_AVERAGE, Twin.PORTABLE, BYTES, CpuQuantizedPool.GLOBAL)
      .withoutCuda(KernelRow.NO_CUDA_YET),
    row(CpuQuantizedSoftmax.OPERATOR, Twin.PORTABLE, BYTES, new CpuQuantizedSoftmax())
      .withoutCuda(KernelRow.NO_CUDA_YET),
    row("MatMulNBits", Twin.PORTABLE, EnumSet.of(DType.FLOAT32), new CpuBlockedMatmul())
      .withoutCuda(KernelRow.NO_CUDA_YET),
    row("MatMulNBits", Twin.PORTABLE, HALVES, new HalfStorage(new CpuBlockedMatmul())),
    row("DynamicQuantizeLinear", Twin.PORTABLE, EnumSet.of(DType.FLOAT32), new CpuDynamicQuantize()),
    row("MatMulInteger", Twin.PORTABLE, BYTES, new CpuIntegerMatmul(QuantizedInputs.INTEGER)),
    row("MatMulIntegerToFloat", Twin.PORTABLE, BYTES, new CpuIntegerMatmul(QuantizedInputs.TO_FLOAT)),
    row("QLinearMatMul", Twin.PORTABLE, BYTES, new CpuIntegerMatmul(QuantizedInputs.LINEAR)),
    row("ConvInteger", Twin.PORTABLE, BYTES, new CpuIntegerConvolution(QuantizedInputs.INTEGER)),
    row("QLinearConv", Twin.PORTABLE, BYTES, new CpuIntegerConvolution(QuantizedInputs.LINEAR))),
    () -> List.of(row("QuantizeLinear", Twin.VECTOR, EnumSet.of(DType.FLOAT32), VectorQuantize.QUANTIZE),
      row("DequantizeLinear", Twin.VECTOR, BYTES, VectorQuantize.DEQUANTIZE),
      row(CpuQuantizedBinary.ADD, Twin.VECTOR, BYTES, new VectorQuantizedBinary(false)),
      row(CpuQuantizedBinary.MUL, Twin.VECTOR, BYTES, new VectorQuantizedBinary(true)),
      row(CpuQuantizedPool.GLOBAL_AVERAGE, Twin.VECTOR, BYTES, new VectorQuantizedPool()),
      row("MatMulNBits", Twin.VECTOR, EnumSet.of(DType.FLOAT32), new VectorBlockedMatmul()),
      row("MatMulNBits", Twin.VECTOR, HALVES, VectorHalf.storage(new VectorBlockedMatmul())),
      row("DynamicQuantizeLinear", Twin.VECTOR, EnumSet.of(DType.FLOAT32), VectorQuantize.DYNAMIC),
      row("MatMulInteger", Twin.VECTOR, BYTES, new VectorIntegerMatmul(QuantizedInputs.INTEGER)),
      row("MatMulIntegerToFloat", Twin.VECTOR, BYTES, new VectorIntegerMatmul(QuantizedInputs.TO_FLOAT)),
      row("QLinearMatMul", Twin.VECTOR, BYTES, new VectorIntegerMatmul(QuantizedInputs.LINEAR)),
      row("ConvInteger", Twin.VECTOR, BYTES, new VectorIntegerConvolution(QuantizedInputs.INTEGER)),
      row("QLinearConv", Twin.VECTOR, BYTES, new VectorIntegerConvolution(QuantizedInputs.LINEAR))));

  private QuantizedKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("QuantizeLinear", EnumSet.of(DType.FLOAT32), new CudaQuantize(library, Way.QUANTIZE)),
      KernelRow.cuda("DequantizeLinear", EnumSet.of(DType.INT8, DType.UINT8, DType.INT16, DType.UINT16, DType.INT32),
        new CudaQuantize(library, Way.DEQUANTIZE)),
      KernelRow.cuda("DynamicQuantizeLinear", EnumSet.of(DType.FLOAT32), new CudaQuantize(library, Way.DYNAMIC)),
      KernelRow.cuda(CpuByteTable.OPERATOR, BYTES, new CudaByteTable(library)),
      KernelRow.cuda(CpuQuantizedBinary.ADD, BYTES, new CudaQuantizedBinary(library, false)),
      KernelRow.cuda(CpuQuantizedBinary.MUL, BYTES, new CudaQuantizedBinary(library, true)),
      KernelRow.cuda("MatMulInteger", BYTES, new CudaIntegerMatmul(library, QuantizedInputs.INTEGER)),
      KernelRow.cuda("MatMulIntegerToFloat", BYTES, new CudaIntegerMatmul(library, QuantizedInputs.TO_FLOAT)),
      KernelRow.cuda("QLinearMatMul", BYTES, new CudaIntegerMatmul(library, QuantizedInputs.LINEAR)),
      KernelRow.cuda("ConvInteger", BYTES, new CudaIntegerConvolution(library, QuantizedInputs.INTEGER)),
      KernelRow.cuda("QLinearConv", BYTES, new CudaIntegerConvolution(library, QuantizedInputs.LINEAR)));
  }

  /** Products of quantised matrices over a provider's kernel for plain ones of bytes, if one is there. */
  static List<KernelRow> packed(List<KernelRow> rows) {
    if (VectorWidth.bits().isEmpty()) {
      return List.of();
    }
    return rows.stream().filter(row -> row.twin() == Twin.ONEDNN && row.operator().equals("MatMulInteger"))
      .map(KernelRow::kernel).findFirst().map(sums -> List.of( //
        row("MatMulInteger", Twin.ONEDNN, BYTES, new PackedIntegerMatmul(QuantizedInputs.INTEGER, sums)),
        row("MatMulIntegerToFloat", Twin.ONEDNN, BYTES, new PackedIntegerMatmul(QuantizedInputs.TO_FLOAT, sums)),
        row("QLinearMatMul", Twin.ONEDNN, BYTES, new PackedIntegerMatmul(QuantizedInputs.LINEAR, sums))))
      .orElse(List.of());
  }

  private static KernelRow row(String operator, Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
