package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.quantized.CpuByteTable;
import dev.cairn.kernels.cpu.quantized.CpuQuantizedBinary;
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

/** CUDA: quantised tensors, to and from them, and products of their matrices. To add one, add a row. */
final class CudaQuantizedKernels {
  private static final Set<DType> SINGLE = EnumSet.of(DType.FLOAT32);
  private static final Set<DType> BYTES = EnumSet.of(DType.INT8, DType.UINT8);
  private static final Set<DType> QUANTIZED = EnumSet.of(DType.INT8, DType.UINT8, DType.INT16, DType.UINT16,
    DType.INT32);

  private CudaQuantizedKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    return List.of(row("QuantizeLinear", SINGLE, new CudaQuantize(library, Way.QUANTIZE)),
      row("DequantizeLinear", QUANTIZED, new CudaQuantize(library, Way.DEQUANTIZE)),
      row("DynamicQuantizeLinear", SINGLE, new CudaQuantize(library, Way.DYNAMIC)),
      row(CpuByteTable.OPERATOR, BYTES, new CudaByteTable(library)),
      row(CpuQuantizedBinary.ADD, BYTES, new CudaQuantizedBinary(library, false)),
      row(CpuQuantizedBinary.MUL, BYTES, new CudaQuantizedBinary(library, true)),
      row("MatMulInteger", BYTES, new CudaIntegerMatmul(library, QuantizedInputs.INTEGER)),
      row("MatMulIntegerToFloat", BYTES, new CudaIntegerMatmul(library, QuantizedInputs.TO_FLOAT)),
      row("QLinearMatMul", BYTES, new CudaIntegerMatmul(library, QuantizedInputs.LINEAR)),
      row("ConvInteger", BYTES, new CudaIntegerConvolution(library, QuantizedInputs.INTEGER)),
      row("QLinearConv", BYTES, new CudaIntegerConvolution(library, QuantizedInputs.LINEAR)));
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
